import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { hasPage } from "../../app/lib/links/parts.ts";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../app/platform/command.ts";
import type { Problem } from "../../app/site-files/site-file.server.ts";
import { findSettingLine, toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { SetupError } from "../process/setup-error.ts";
import { findLeftOut } from "../radio/playlist.ts";
import {
  checkFile,
  type FileProblem,
  listAllFiles,
  readFileSettings,
  selectSources,
} from "../site/check-file.ts";
import type { OpenedSite } from "../site/site-files.ts";
import { readImages } from "../site/site-images.ts";
import { createSiteContent, listAbsent } from "../site/site-values.ts";
import { findStrays } from "../site/stray-files.ts";
import { createTextParser } from "../site/text-parser.ts";
import type { CheckReferences } from "./cross-checks.ts";

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
  const [values, sources] = [new Map<string, unknown>(), new Map<string, string>()];
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
    }
  }
  for (const { file, message, isMistake } of await findStrays(
    siteFolder,
    siteFiles,
    without,
    usedMedia,
  )) {
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
  for (const problem of await checkReferences(
    toCity(values, [...reports.keys()], origin, context),
  )) {
    const { file, field, message, isNote } = problem;
    const located = { line: findLine(problem, sources.get(file) ?? ""), field, message };
    if (isNote) ensureReport(file).remarks.push(toProblemSentence(located));
    else ensureReport(file).problems.push(located);
  }
  return [...reports.values()];
}

type CityContext = Pick<CommandContext, "siteFolder" | "siteFiles" | "services">;

/** Counts the files that exist. */
export const countFiles = (reports: FileReport[]) =>
  reports.filter(({ isMissing }) => !isMissing).length;

/**
 * Finds mistakes that only a comparison of files shows, in the files that a running site has read.
 */
export async function findBrokenReferences(
  site: OpenedSite,
  checkReferences: CheckReferences,
  context: CityContext,
): Promise<FileProblem[]> {
  const { origin } = site.read(siteSettingsFile);
  const city = toCity(site.values, site.listPaths(), origin, context);
  const problems = (await checkReferences(city)).filter(({ isNote }) => !isNote);
  return Promise.all(
    problems.map(async (problem) => {
      const { file, field, message } = problem;
      const source = await readFile(join(context.siteFolder, file), "utf8").catch(() => "");
      return { file, field, message, line: findLine(problem, source) };
    }),
  );
}

function toCity(
  values: ReadonlyMap<string, unknown>,
  files: string[],
  origin: string | undefined,
  { siteFolder, siteFiles, services }: CityContext,
): City {
  const content = createSiteContent(values, siteFiles, () => files);
  const absent = listAbsent(values, siteFiles);
  return {
    siteFolder,
    services: () => services().catch(() => null),
    origin,
    values,
    read: (file) => (values.has(file.path) ? content.read(file) : undefined),
    readAll: content.readAll,
    has: (path) => hasPage(absent, path),
    names: content.names,
  };
}

/** Finds the line of a setting or of a piece of text. Returns 0 for the entire file. */
export function findLine({ at }: Pick<CrossFileProblem, "at">, source: string): number {
  if (at === null) return 0;
  if (typeof at === "string") {
    // A short link such as "y" may also be a part of words in the lines above it.
    const index =
      [`](${at})`, `](${at}`, at].map((each) => source.indexOf(each)).find((each) => each >= 0) ??
      -1;
    return index < 0 ? 0 : source.slice(0, index).split("\n").length;
  }
  // The settings of a page are between two lines of dashes; a YAML file has only settings.
  const isPage = source.startsWith("---");
  const settings = isPage
    ? source.slice(source.indexOf("\n") + 1).split(/^---\s*$/m, 1)[0]
    : source;
  return findSettingLine(settings ?? "", at) + (isPage ? 1 : 0);
}

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
