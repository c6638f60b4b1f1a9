import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";

/**
 * The settings that a city does not have on its first day. With a value, the setting is replaced
 * instead of removed.
 */
const changesByFile: Record<string, [path: string[], value?: unknown][]> = {
  "home.yaml": [[["video"]], [["community"]], [["events"]], [["fact"]]],
  "community.yaml": [
    [["stories", "items"]],
    [["volunteer", "items"], []],
    [["resources", "groups"], []],
  ],
  "partners.yaml": [[["documents", "items"], []]],
  "events.yaml": [
    [["sources"], []],
    [["history", "links"], []],
  ],
  "ads.yaml": [
    [["house"], {}],
    [["pages"], {}],
  ],
  "site.yaml": [[["social"], []]],
};

/**
 * Creates a city that has just started: it has text and a few drawings, but no story, event, post,
 * video, document or playlist.
 */
export function makeNewCity(folder: string): void {
  cpSync("sites/baltimore", folder, {
    recursive: true,
    filter: (path) =>
      !/\/(news|events|blog|film|documents|radio)$|covers\/(?!placeholder)/.test(path),
  });
  for (const [file, changes] of Object.entries(changesByFile)) {
    const path = join(folder, file);
    const document = parseDocument(readFileSync(path, "utf8"));
    for (const [settingPath, value] of changes)
      if (value === undefined) document.deleteIn(settingPath);
      else document.setIn(settingPath, document.createNode(value));
    writeFileSync(path, String(document));
  }
  writeFileSync(join(folder, "good-to-know.yaml"), "{}\n");
  const sections = readFileSync(join(folder, "sections.yaml"), "utf8");
  writeFileSync(
    join(folder, "sections.yaml"),
    sections.replaceAll(/^ {8}sources:\n(?: {10}.*\n|\n)+/gm, ""),
  );
}
