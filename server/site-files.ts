import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorFields, type Log } from "../app/lib/log.ts";
import { artFileName } from "../app/lib/site-fields.server.ts";
import type { Problem, SiteFile, SiteReader } from "../app/lib/site-file.server.ts";
import { SetupError } from "./config.ts";

export type FileProblem = Problem & { file: string };
type Checked<T> = { ok: true; value: T } | { ok: false; problems: FileProblem[] };

export type Site = SiteReader & { stop(): void };

const pollEveryMs = 500;

/** Reads one file as it is on the disk now, with all that is wrong with it. */
export async function checkFile<T>(folder: string, file: SiteFile<T>): Promise<Checked<T>> {
  const source = await readFile(join(folder, file.path), "utf8").catch(() => null);
  const fail = (problems: Problem[]): Checked<T> => ({
    ok: false,
    problems: problems.map((problem) => ({ file: file.path, ...problem })),
  });
  if (source === null) return fail([{ line: 1, field: "the whole file", message: "is missing" }]);
  const parsed = file.parse(source);
  if (!parsed.ok) return fail(parsed.problems);
  const missing = await missingPictures(folder, source, parsed.value);
  return missing.length > 0 ? fail(missing) : { ok: true, value: parsed.value };
}

/** Opens the city's folder and keeps what it says current. A folder that is wrong from the start is refused. */
export async function openSite(
  folder: string,
  files: SiteFile<unknown>[],
  log: Log,
  onChange: () => void,
): Promise<Site> {
  const values = new Map<string, unknown>();
  const taken = new Map<string, string>();
  const seen = new Map<string, string>();

  const problems: FileProblem[] = [];
  for (const file of files) {
    const fingerprint = await fingerprintOf(folder, file);
    const checked = await checkFile(folder, file);
    taken.set(file.path, fingerprint);
    if (checked.ok) values.set(file.path, checked.value);
    else problems.push(...checked.problems);
  }
  if (problems.length > 0)
    throw new SetupError(`The city's files need a correction:\n${describeProblems(problems)}`);

  async function takeChange(file: SiteFile<unknown>): Promise<void> {
    const fingerprint = await fingerprintOf(folder, file);
    const settled = seen.get(file.path) === fingerprint;
    seen.set(file.path, fingerprint);
    // Taken when two looks agree: an editor may still be writing.
    if (!settled || taken.get(file.path) === fingerprint) return;
    taken.set(file.path, fingerprint);
    const checked = await checkFile(folder, file);
    if (checked.ok) {
      values.set(file.path, checked.value);
      onChange();
      log.info("site.changed", { file: file.path });
      return;
    }
    for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
  }

  // Polled, not watched: a watch goes silent when an editor saves by renaming a new file into place.
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    for (const file of files) {
      await takeChange(file).catch((error) =>
        log.error("site.not_read", { file: file.path, ...errorFields(error) }),
      );
    }
    if (!stopped) timer = setTimeout(look, pollEveryMs);
  };
  timer = setTimeout(look, pollEveryMs);

  return {
    read<T>(file: SiteFile<T>): T {
      if (!values.has(file.path))
        throw new Error(`${file.path} is not in the list of site files (server/app.ts)`);
      // The map holds for each path what that path's own parse has made.
      return values.get(file.path) as T;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
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

/** Every value that is the name of a picture must be one of art/. */
async function missingPictures(folder: string, source: string, value: unknown): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const name of new Set(picturesIn(value))) {
    if (await stat(join(folder, "art", name)).catch(() => null)) continue;
    const line = source.slice(0, source.indexOf(name)).split("\n").length;
    problems.push({ line, field: name, message: "there is no such picture in art/" });
  }
  return problems;
}

function picturesIn(value: unknown): string[] {
  if (typeof value === "string") return artFileName.test(value) ? [value] : [];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(picturesIn);
  return [];
}
