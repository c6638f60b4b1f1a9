import { stat } from "node:fs/promises";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import type { Problem } from "../../app/lib/site/site-file.server.ts";
import { findSettingLine, toProblemSentence } from "../../app/lib/site/site-yaml.server.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../app/platform/command.ts";
import { SetupError } from "../process/setup-error.ts";
import { checkFile, createReader, listFiles, readOrigin } from "../site/site-files.ts";
import { readImages } from "../site/site-images.ts";
import { findStrays } from "../site/stray-files.ts";
import type { Checks } from "./cross-checks.ts";

type Reading = { file: string; problems: Problem[]; remarks: string[] };

/** Reads every site file as it is on disk now, and checks the references between the valid ones. */
export async function readCity(
  context: Pick<CommandContext, "siteFolder" | "siteFiles" | "services">,
  checkReferences: Checks,
): Promise<Reading[]> {
  const { siteFolder, siteFiles } = context;
  if (!(await stat(siteFolder).catch(() => null))?.isDirectory())
    throw new SetupError(
      `Could not find the city folder ${siteFolder}. If it is on another disk, check that the disk is mounted.`,
    );
  const images = readImages(siteFolder, { decode: true });
  const origin = await readOrigin(siteFolder, images);
  const [values, sources] = [new Map<string, unknown>(), new Map<string, string>()];
  const readings = new Map<string, Reading>();
  const ensureReading = (file: string) => {
    const reading = readings.get(file) ?? { file, problems: [], remarks: [] };
    readings.set(file, reading);
    return reading;
  };
  for (const file of (
    await Promise.all(siteFiles.map((source) => listFiles(siteFolder, source)))
  ).flat()) {
    const checked = await checkFile(siteFolder, file, images, origin);
    const reading = ensureReading(file.path);
    sources.set(file.path, checked.source);
    if (checked.ok) {
      values.set(file.path, checked.value);
      reading.remarks.push(...(file.remarks?.(checked.value) ?? []));
    } else {
      reading.problems.push(
        ...checked.problems.map(({ line, field, message }) => ({ line, field, message })),
      );
    }
  }
  for (const { file, message, isMistake } of await findStrays(siteFolder, siteFiles)) {
    if (isMistake) ensureReading(file).problems.push({ line: 0, field: "", message });
    else ensureReading(file).remarks.push(`${message}.`);
  }
  for (const problem of await checkReferences(
    toCity(values, [...readings.keys()], origin, context),
  )) {
    const { file, field, message, isNote } = problem;
    const located = { line: findLine(problem, sources.get(file) ?? ""), field, message };
    if (isNote) ensureReading(file).remarks.push(toProblemSentence(located));
    else ensureReading(file).problems.push(located);
  }
  return [...readings.values()];
}

function toCity(
  values: Map<string, unknown>,
  files: string[],
  origin: string | undefined,
  { siteFolder, services }: Pick<CommandContext, "siteFolder" | "services">,
): City {
  const reader = createReader(values);
  return {
    siteFolder,
    services: () => services().catch(() => null),
    origin,
    values,
    read: (file) => (values.has(file.path) ? reader.read(file) : undefined),
    readAll: reader.readAll,
    names: ({ folder }) =>
      files
        .filter((file) => file.startsWith(`${folder}/`) && file.endsWith(".md"))
        .map((file) => file.slice(folder.length + 1, -".md".length)),
  };
}

function findLine({ at }: CrossFileProblem, source: string): number {
  if (typeof at === "string") {
    const index = source.indexOf(at);
    return index < 0 ? 0 : source.slice(0, index).split("\n").length;
  }
  const isPage = source.startsWith("---");
  const settings = isPage
    ? source.slice(source.indexOf("\n") + 1).split(/^---\s*$/m, 1)[0]
    : source;
  return findSettingLine(settings ?? "", at) + (isPage ? 1 : 0);
}

export const validate = (checks: Checks): Command => ({
  name: "validate",
  group: "Content",
  summary: "Check every site file and show each problem with its file, line and correction.",
  examples: ["validate", "validate --json"],
  verbs: { [noVerb]: verb({ run: (_args, _options, context) => check(context, checks) }) },
});

async function check(context: CommandContext, checks: Checks): Promise<number> {
  const readings = await readCity(context, checks);
  context.result(readings);
  for (const { file, problems, remarks } of readings) {
    context.print(`${problems.length === 0 ? "✓" : "✗"} ${file}`);
    for (const remark of remarks) context.print(`    note: ${remark}`);
    for (const problem of problems) context.print(`    ${toProblemSentence(problem)}`);
  }
  const count = readings.flatMap(({ problems }) => problems).length;
  context.print("");
  context.print(
    count === 0
      ? `All ${readings.length} files are valid.`
      : `Found ${formatCount(count, "problem")}. Until you correct them, the site uses the last valid version of a file with invalid settings, and shows broken links as they are.`,
  );
  return count === 0 ? 0 : 1;
}
