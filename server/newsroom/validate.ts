import type { SiteReader } from "../../app/lib/site-file.server.ts";
import { checkFile, filesOf, readerOf } from "../site-files.ts";
import type { Command, Desk } from "./commands.ts";
import { counted } from "./printing.ts";

/** What one file alone cannot know: whether that which it names in another is there. */
export type CrossCheck = (site: SiteReader) => { file: string; field: string; message: string }[];

type Reading = {
  file: string;
  problems: { line?: number; field: string; message: string }[];
  remarks: string[];
};

/** Reads every file of the city as it is on the disk now; what they name of each other only if each is good. */
export async function readCity(
  { siteFolder, siteFiles }: Pick<Desk, "siteFolder" | "siteFiles">,
  crossChecks: CrossCheck[],
): Promise<Reading[]> {
  const values = new Map<string, unknown>();
  const files = (await Promise.all(siteFiles.map((source) => filesOf(siteFolder, source)))).flat();
  const readings: Reading[] = [];
  for (const file of files) {
    const checked = await checkFile(siteFolder, file);
    if (checked.ok) values.set(file.path, checked.value);
    const problems = checked.ok
      ? []
      : checked.problems.map(({ line, field, message }) => ({ line, field, message }));
    readings.push({
      ...{ file: file.path, problems },
      remarks: checked.ok ? (file.remarks?.(checked.value) ?? []) : [],
    });
  }
  if (readings.every(({ problems }) => problems.length === 0)) {
    for (const { file, ...problem } of crossChecks.flatMap((check) => check(readerOf(values)))) {
      const reading = readings.find((each) => each.file === file);
      if (reading) reading.problems.push(problem);
      else readings.push({ file, problems: [problem], remarks: [] });
    }
  }
  return readings;
}

export const validate = (crossChecks: CrossCheck[]): Command => ({
  name: "validate",
  summary: "Checks every file of the city and says what to correct, with file and line.",
  usage: "validate",
  examples: ["validate", "validate --json"],
  async run(args, desk) {
    if (args.length > 0) {
      desk.print(`validate takes no "${args[0]}": it always checks all files.`);
      return 2;
    }
    const readings = await readCity(desk, crossChecks);
    desk.answer(readings);
    for (const { file, problems, remarks } of readings) {
      desk.print(`${problems.length === 0 ? "✓" : "✗"} ${file}`);
      for (const remark of remarks) desk.print(`    note: ${remark}`);
      for (const { line, field, message } of problems)
        desk.print(`    ${line === undefined ? "" : `line ${line}, `}${field}: ${message}`);
    }
    const wrong = readings.flatMap(({ problems }) => problems).length;
    desk.print("");
    desk.print(
      wrong === 0
        ? `All ${readings.length} files are good.`
        : `${counted(wrong, "correction")} needed. A running site goes on showing the last good version.`,
    );
    return wrong === 0 ? 0 : 1;
  },
});
