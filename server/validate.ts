import type { SiteReader } from "../app/lib/site-file.server.ts";
import type { Command } from "./commands.ts";
import { checkFile, filesOf, readerOf } from "./site-files.ts";

/** What one file alone cannot know: whether that which it names in another is there. */
export type CrossCheck = (site: SiteReader) => { file: string; field: string; message: string }[];

export const validate = (crossChecks: CrossCheck[]): Command => ({
  name: "validate",
  summary: "Checks every file of the city and says what to correct, with file and line.",
  usage: "validate",
  examples: ["validate"],
  async run(args, desk) {
    if (args.length > 0) {
      desk.print(`validate takes no "${args[0]}": it always checks all files.`);
      return 2;
    }
    let wrong = 0;
    const values = new Map<string, unknown>();
    const files = (
      await Promise.all(desk.siteFiles.map((source) => filesOf(desk.siteFolder, source)))
    ).flat();
    for (const file of files) {
      const checked = await checkFile(desk.siteFolder, file);
      desk.print(`${checked.ok ? "✓" : "✗"} ${file.path}`);
      if (checked.ok) {
        values.set(file.path, checked.value);
        for (const remark of file.remarks?.(checked.value) ?? []) desk.print(`    note: ${remark}`);
        continue;
      }
      for (const { line, field, message } of checked.problems) {
        desk.print(`    line ${line}, ${field}: ${message}`);
        wrong += 1;
      }
    }
    const site = readerOf(values);
    for (const { file, field, message } of wrong === 0 ? crossChecks.flatMap((check) => check(site)) : []) {
      desk.print(`✗ ${file}, ${field}: ${message}`);
      wrong += 1;
    }
    desk.print("");
    desk.print(
      wrong === 0
        ? `All ${files.length} files are good.`
        : `${wrong} ${wrong === 1 ? "correction" : "corrections"} needed. A running site goes on showing the last good version.`,
    );
    return wrong === 0 ? 0 : 1;
  },
});
