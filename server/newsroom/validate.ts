import { stat } from "node:fs/promises";
import { formatCount } from "../../app/lib/newsroom/printing.ts";
import type { Problem } from "../../app/lib/site/site-file.server.ts";
import { lineOfSetting, problemSentence } from "../../app/lib/site/site-yaml.server.ts";
import type { City, CrossFileProblem } from "../../app/platform/city.ts";
import { type Command, type CommandContext, noVerb, verb } from "../../app/platform/command.ts";
import { SetupError } from "../process/setup-error.ts";
import { checkFile, createReader, listFiles, readOrigin } from "../site/site-files.ts";
import { readImages } from "../site/site-images.ts";
import { findStrays } from "../site/stray-files.ts";
import type { Checks } from "./cross-checks.ts";

type Reading = { file: string; problems: Problem[]; remarks: string[] };

/**
 * Reads every file of the city as it is on the disk now, and checks what the good ones name of each
 * other.
 */
export async function readCity(
  context: Pick<CommandContext, "siteFolder" | "siteFiles" | "services">,
  checks: Checks,
): Promise<Reading[]> {
  const { siteFolder, siteFiles } = context;
  if (!(await stat(siteFolder).catch(() => null))?.isDirectory())
    throw new SetupError(
      `The city's folder ${siteFolder} is missing. If it is on another disk, check that the disk is mounted.`,
    );
  const images = readImages(siteFolder, { decode: true });
  const origin = await readOrigin(siteFolder, images);
  const [values, sources] = [new Map<string, unknown>(), new Map<string, string>()];
  const readings = new Map<string, Reading>();
  const readingOf = (file: string) => {
    const reading = readings.get(file) ?? { file, problems: [], remarks: [] };
    readings.set(file, reading);
    return reading;
  };
  for (const file of (
    await Promise.all(siteFiles.map((source) => listFiles(siteFolder, source)))
  ).flat()) {
    const checked = await checkFile(siteFolder, file, images, origin);
    const reading = readingOf(file.path);
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
    if (isMistake) readingOf(file).problems.push({ line: 0, field: "", message });
    else readingOf(file).remarks.push(`${message}.`);
  }
  for (const problem of await checks(cityOf(values, [...readings.keys()], origin, context))) {
    const { file, field, message, isNote } = problem;
    const found = { line: lineOf(problem, sources.get(file) ?? ""), field, message };
    if (isNote) readingOf(file).remarks.push(problemSentence(found));
    else readingOf(file).problems.push(found);
  }
  return [...readings.values()];
}

function cityOf(
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

function lineOf({ at }: CrossFileProblem, source: string): number {
  if (typeof at === "string") {
    const index = source.indexOf(at);
    return index < 0 ? 0 : source.slice(0, index).split("\n").length;
  }
  const isPage = source.startsWith("---");
  const settings = isPage
    ? source.slice(source.indexOf("\n") + 1).split(/^---\s*$/m, 1)[0]
    : source;
  return lineOfSetting(settings ?? "", at) + (isPage ? 1 : 0);
}

export const validate = (checks: Checks): Command => ({
  name: "validate",
  group: "Content",
  summary: "Checks every file of the city and says what to correct, with file and line.",
  examples: ["validate", "validate --json"],
  verbs: { [noVerb]: verb({ run: (_args, _options, context) => check(context, checks) }) },
});

async function check(context: CommandContext, checks: Checks): Promise<number> {
  const readings = await readCity(context, checks);
  context.result(readings);
  for (const { file, problems, remarks } of readings) {
    context.print(`${problems.length === 0 ? "✓" : "✗"} ${file}`);
    for (const remark of remarks) context.print(`    note: ${remark}`);
    for (const problem of problems) context.print(`    ${problemSentence(problem)}`);
  }
  const wrong = readings.flatMap(({ problems }) => problems).length;
  context.print("");
  context.print(
    wrong === 0
      ? `All ${readings.length} files are good.`
      : `${formatCount(wrong, "correction")} needed. A running site shows the last good version of a file with wrong settings, and wrong links as they are.`,
  );
  return wrong === 0 ? 0 : 1;
}
