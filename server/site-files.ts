import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { brandFile } from "../app/features/brand/files.server.ts";
import { artFileName } from "../app/lib/art.ts";
import { errorFields, type Log } from "../app/lib/log.ts";
import { filmFileName } from "../app/lib/site-fields.server.ts";
import type { Problem, SiteFile, SiteFolder, SiteReader, SiteSource } from "../app/lib/site-file.server.ts";
import { textsIn } from "../app/lib/texts-in.ts";
import type { Activities } from "./activities.ts";
import { SetupError } from "./config.ts";

export type FileProblem = Problem & { file: string };
type Checked<T> = { ok: true; value: T } | { ok: false; problems: FileProblem[] };

export type Site = SiteReader & { stop(): void };

const pollEveryMs = 250;

/** Reads one file as it is on the disk now, with all that is wrong with it. */
export async function checkFile<T>(folder: string, file: SiteFile<T>, origin?: string): Promise<Checked<T>> {
  const source = await readFile(join(folder, file.path), "utf8").catch(() => null);
  const fail = (problems: Problem[]): Checked<T> => ({
    ok: false,
    problems: problems.map((problem) => ({ file: file.path, ...problem })),
  });
  if (source === null)
    return file.whenMissing
      ? { ok: true, value: file.whenMissing.value }
      : fail([{ line: 1, field: "the whole file", message: "is missing" }]);
  const parsed = file.parse(source, origin);
  if (!parsed.ok) return fail(parsed.problems);
  const missing = await missingFiles(folder, source, parsed.value);
  return missing.length > 0 ? fail(missing) : { ok: true, value: parsed.value };
}

/** The site's own origin. Unknown while site.yaml is wrong, which is reported when that file itself is checked. */
async function originOf(folder: string): Promise<string | undefined> {
  const checked = await checkFile(folder, brandFile);
  return checked.ok ? checked.value.origin : undefined;
}

/** The files that a source stands for at this moment: itself, or all Markdown files of its folder. */
export async function filesOf(folder: string, source: SiteSource): Promise<SiteFile<unknown>[]> {
  if ("path" in source) return [source];
  const names = await readdir(join(folder, source.folder)).catch(() => []);
  return names
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => source.file(name));
}

/** The city as it stands on the disk now, for a command. What is wrong in it is as good as not there. */
export async function readSite(folder: string, sources: SiteSource[]): Promise<SiteReader> {
  const values = new Map<string, unknown>();
  const origin = await originOf(folder);
  for (const source of sources) {
    for (const file of await filesOf(folder, source)) {
      const checked = await checkFile(folder, file, origin);
      if (checked.ok) values.set(file.path, checked.value);
      else if (source === file)
        throw new SetupError(`The city's files need a correction:\n${describeProblems(checked.problems)}`);
    }
  }
  return readerOf(values);
}

/** Opens the city's folder and keeps what it says current. A folder that is wrong from the start is refused. */
export async function openSite(
  folder: string,
  sources: SiteSource[],
  log: Log,
  onChange: () => void,
  during: Activities["during"],
): Promise<Site> {
  const values = new Map<string, unknown>();
  const taken = new Map<string, string>();
  const seen = new Map<string, string>();
  const allFiles = async () => (await Promise.all(sources.map((source) => filesOf(folder, source)))).flat();

  const problems: FileProblem[] = [];
  const origin = await originOf(folder);
  for (const file of await allFiles()) {
    const fingerprint = await fingerprintOf(folder, file);
    const checked = await checkFile(folder, file, origin);
    taken.set(file.path, fingerprint);
    if (checked.ok) values.set(file.path, checked.value);
    // The site can open without one of many stories, but not without a page that every reader may ask for.
    else if (sources.includes(file)) problems.push(...checked.problems);
    else for (const problem of checked.problems) log.warn("site.invalid_left_out", problem);
  }
  if (problems.length > 0)
    throw new SetupError(`The city's files need a correction:\n${describeProblems(problems)}`);

  const currentOrigin = () =>
    values.has(brandFile.path) ? readerOf(values).read(brandFile).origin : undefined;

  async function takeChange(file: SiteFile<unknown>): Promise<void> {
    const fingerprint = await fingerprintOf(folder, file);
    const settled = seen.get(file.path) === fingerprint;
    seen.set(file.path, fingerprint);
    // Taken when two looks agree: an editor may still be writing.
    if (!settled || taken.get(file.path) === fingerprint) return;
    taken.set(file.path, fingerprint);
    // The last good one: site.yaml may be wrong at the moment.
    const origin = currentOrigin();
    const checked = await during(`site file ${file.path}`, () => checkFile(folder, file, origin));
    if (checked.ok) {
      values.set(file.path, checked.value);
      // Links in texts depend on the origin, so all files are read again.
      if (currentOrigin() !== origin) for (const path of taken.keys()) taken.set(path, "");
      onChange();
      log.info("site.changed", { file: file.path });
      return;
    }
    for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
  }

  /** A record whose file is gone is gone too; a file that every city has is not let go of so easily. */
  function letGo(files: SiteFile<unknown>[]): void {
    const there = new Set(
      [...sources, ...files].flatMap((source) => ("path" in source ? [source.path] : [])),
    );
    for (const path of taken.keys()) {
      if (there.has(path)) continue;
      for (const memory of [values, taken, seen]) memory.delete(path);
      onChange();
      log.info("site.removed", { file: path });
    }
  }

  // Polled, not watched: a watch goes silent when an editor saves by renaming a new file into place.
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    const files = await allFiles();
    for (const file of files) {
      await takeChange(file).catch((error) =>
        log.error("site.not_read", { file: file.path, ...errorFields(error) }),
      );
    }
    letGo(files);
    if (!stopped) timer = setTimeout(look, pollEveryMs);
  };
  timer = setTimeout(look, pollEveryMs);

  return {
    ...readerOf(values),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Reads what was made of the files. The map holds for each path what that path's own parse has made. */
export function readerOf(values: ReadonlyMap<string, unknown>): SiteReader {
  return {
    read<T>({ path }: SiteFile<T>): T {
      if (!values.has(path)) throw new Error(`${path} is not in the list of site files (server/app.ts)`);
      return values.get(path) as T;
    },
    readAll<T>({ folder }: SiteFolder<T>): T[] {
      const paths = [...values.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
      return paths.map((path) => values.get(path) as T);
    },
  };
}

export function describeProblems(problems: FileProblem[]): string {
  return problems
    .map(({ file, line, field, message }) => `  ${file}:${line}  ${field}: ${message}`)
    .join("\n");
}

async function fingerprintOf(folder: string, file: SiteFile<unknown>): Promise<string> {
  const stats = await stat(join(folder, file.path)).catch(() => null);
  return stats ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
}

/** What a value names has to be there: pictures in art/, films in film/. */
async function missingFiles(folder: string, source: string, value: unknown): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const text of new Set(textsIn(value))) {
    const home = artFileName.test(text) ? "art" : filmFileName.test(text) ? "film" : null;
    if (home === null || (await stat(join(folder, home, text)).catch(() => null))) continue;
    const line = source.slice(0, source.indexOf(text)).split("\n").length;
    const kind = home === "art" ? "picture" : "file";
    problems.push({ line, field: text, message: `there is no such ${kind} in ${home}/` });
  }
  return problems;
}
