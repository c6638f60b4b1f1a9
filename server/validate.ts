import type { Command } from "./commands.ts";
import { checkFile } from "./site-files.ts";

export const validate: Command = {
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
    for (const file of desk.siteFiles) {
      const checked = await checkFile(desk.siteFolder, file);
      desk.print(`${checked.ok ? "✓" : "✗"} ${file.path}`);
      if (checked.ok) continue;
      for (const { line, field, message } of checked.problems) {
        desk.print(`    line ${line}, ${field}: ${message}`);
        wrong += 1;
      }
    }
    desk.print("");
    desk.print(
      wrong === 0
        ? `All ${desk.siteFiles.length} files are good.`
        : `${wrong} ${wrong === 1 ? "correction" : "corrections"} needed. A running site goes on showing the last good version.`,
    );
    return wrong === 0 ? 0 : 1;
  },
};
