import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  "site.yaml": [
    [["social"], []],
    [["network", "cities"], []],
  ],
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

/** The sections of a small city, with the two that show the headlines of all others. */
const smallCitySections = ["news", "archives", "local", "sports", "food"];

/**
 * Creates a city in another time zone, with 3 sections, and without radio, books and blog: no file
 * of these, and no link to them.
 */
export function makeSmallCity(folder: string): void {
  makeNewCity(folder);
  for (const name of ["radio.yaml", "books.yaml", "blog.yaml", "covers"])
    rmSync(join(folder, name), { recursive: true });
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
  edit("site.yaml", (text) =>
    text.replace("America/New_York", "America/Denver").concat("\nwithout: [radio, books, blog]\n"),
  );
  const absent = new Set(["radio", "books", "blog"]);
  edit("sections.yaml", (text) => {
    const document = parseDocument(text);
    const sections = document.toJS().sections;
    for (const name of Object.keys(sections))
      if (!smallCitySections.includes(name)) {
        document.deleteIn(["sections", name]);
        absent.add(name);
      }
    return String(document);
  });
  const names = [...absent].join("|");
  // Only the menu leads to the events, so that a test can switch them off.
  const link = new RegExp(`((?:to|url|link): "?|\\]\\()/(?:${names}|events)\\b[^\\s"),}]*`, "g");
  for (const file of globSync("*.{yaml,md}", { cwd: folder, exclude: ["navigation.yaml"] }))
    edit(file, (text) => text.replaceAll(link, "$1/news"));
  const menuLine = new RegExp(`^ *- \\{ label: [^,]+, to: /(?:${names}) \\}\\n`, "gm");
  edit("navigation.yaml", (text) =>
    text.replaceAll(menuLine, "").replace(/^apart:\n/m, "apart: []\n"),
  );
}
