import { stat } from "node:fs/promises";
import { join } from "node:path";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../app/platform/command.ts";
import type { Problem } from "../../app/site-files/site-file.server.ts";
import { toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { SetupError } from "../process/setup-error.ts";
import { findLeftOut } from "../radio/playlist.ts";
import { checkFile, listAllFiles, readFileSettings, selectSources } from "../site/check-file.ts";
import { readImages } from "../site/site-images.ts";
import { findStrays } from "../site/stray-files.ts";
import { createTextParser } from "../site/text-parser.ts";
import { type CheckReferences, findLine, toCity } from "./cross-checks.ts";

/** A file with `isMissing` does not exist, but is not required. */
type FileReport = { file: string; problems: Problem[]; remarks: string[]; isMissing?: true };

/** Reads every site file as it is on disk now, and checks the references between the valid ones. */
export async function readCity(
  context: Pick<CommandContext, "siteFolder" | "siteFiles" | "services" | "runInWorker">,
  checkReferences: CheckReferences,
): Promise<FileReport[]> {
  const { siteFolder, siteFiles, runInWorker } = context;
  if (!(await stat(siteFolder).catch(() => null))?.isDirectory())
    throw new SetupError(
      `Could not find the city folder ${siteFolder}. If it is on another disk, check that the disk is mounted.`,
    );
  const tools = {
    images: readImages(siteFolder, { decode: true }),
    texts: createTextParser(runInWorker),
  };
  const settings = await readFileSettings(siteFolder, tools);
  const { origin, without = [] } = settings ?? {};
  const [values, rests] = [new Map<string, unknown>(), new Map<string, unknown>()];
  const sources = new Map<string, string>();
  const reports = new Map<string, FileReport>();
  const usedMedia = new Set<string>();
  const ensureReport = (file: string) => {
    const report = reports.get(file) ?? { file, problems: [], remarks: [] };
    reports.set(file, report);
    return report;
  };
  for (const file of await listAllFiles(siteFolder, selectSources(siteFiles, settings))) {
    const checked = await checkFile(siteFolder, file, tools, origin);
    // While site.yaml cannot be read, the city may be one without this part.
    if (!settings && file.part && checked.isMissing) continue;
    const report = ensureReport(file.path);
    sources.set(file.path, checked.source);
    for (const name of checked.media) usedMedia.add(name);
    if (checked.ok) {
      values.set(file.path, checked.value);
      if (checked.isMissing) {
        report.isMissing = true;
        report.remarks.push(`the file does not exist: ${file.whenMissing?.effect}.`);
      } else report.remarks.push(...(file.remarks?.(checked.value) ?? []));
    } else {
      report.problems.push(
        ...checked.problems.map(({ line, field, message }) => ({ line, field, message })),
      );
      rests.set(file.path, checked.rest);
    }
  }
  for (const { file, message, isMistake } of await findStrays(siteFolder, siteFiles, usedMedia)) {
    if (isMistake) ensureReport(file).problems.push({ line: 0, field: "", message });
    else ensureReport(file).remarks.push(`${message}.`);
  }
  const playlist = without.includes("radio") ? [] : await findLeftOut(join(siteFolder, "radio"));
  for (const { file, reason } of playlist)
    ensureReport(`radio/${file}`).problems.push({
      line: 0,
      field: "",
      message: `the radio leaves out this file, because it ${reason}`,
    });
  const city = toCity(values, [...reports.keys()], origin, context);
  const withRests = { ...city, values: new Map([...values, ...rests]) };
  for (const problem of await checkReferences(withRests)) {
    const { file, field, message, isNote } = problem;
    const located = { line: findLine(problem, sources.get(file) ?? ""), field, message };
    if (isNote) ensureReport(file).remarks.push(toProblemSentence(located));
    else ensureReport(file).problems.push(located);
  }
  return [...reports.values()];
}

/** Counts the files that exist. */
export const countFiles = (reports: FileReport[]) =>
  reports.filter(({ isMissing }) => !isMissing).length;

export const createValidateCommand = (checkReferences: CheckReferences): Command => ({
  name: "validate",
  group: "Content",
  summary: "Check every site file and show each problem with its file, line and correction.",
  examples: ["validate", "validate --problems", "validate --json"],
  verbs: {
    [noVerb]: verb({
      options: {
        problems: { type: "flag", description: "list only the files that have problems" },
      },
      run: (context, { problems }) => validateCity(context, checkReferences, problems),
    }),
  },
});

async function validateCity(
  context: CommandContext,
  checkReferences: CheckReferences,
  onlyProblems: boolean,
): Promise<number> {
  const reports = await readCity(context, checkReferences);
  const shown = onlyProblems ? reports.filter(({ problems }) => problems.length > 0) : reports;
  context.result(shown);
  for (const { file, problems, remarks, isMissing } of shown) {
    context.print(`${problems.length > 0 ? "✗" : isMissing ? "–" : "✓"} ${file}`);
    for (const remark of onlyProblems ? [] : remarks) context.print(`    note: ${remark}`);
    for (const problem of problems) context.print(`    ${toProblemSentence(problem)}`);
  }
  const count = reports.flatMap(({ problems }) => problems).length;
  if (shown.length > 0) context.print("");
  context.print(
    count === 0
      ? `All ${countFiles(reports)} files are valid.`
      : `Found ${formatCount(count, "problem")}. Until you correct ${count === 1 ? "it" : "them"}, the site uses the last valid version of a file that it cannot read (a new one is not on the site), and shows broken links and unknown names as they are.`,
  );
  return count === 0 ? 0 : 1;
}
