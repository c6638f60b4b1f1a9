import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { brandFile } from "../../app/features/brand/feature.server.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import type {
  Problem,
  SiteFile,
  SiteFolder,
  SiteReader,
  SiteSource,
} from "../../app/lib/site/site-file.server.ts";
import { problemSentence } from "../../app/lib/site/site-yaml.server.ts";
import type { Activities } from "../process/activities.ts";
import { SetupError } from "../process/setup-error.ts";
import { readImages, type SiteImages } from "./site-images.ts";
import { withMedia } from "./site-media.ts";
import { findStrays, isHidden } from "./stray-files.ts";
import { readText } from "./text-file.ts";

type FileProblem = Problem & { file: string };
/** `media` are the files in art/ and film/ that a file names, also where they are missing. */
type Checked<T> = { media: string[] } & (
  | { ok: true; value: T; source: string }
  | { ok: false; problems: FileProblem[]; source: string }
);

type Site = SiteReader & { stop(): void };

const pollEveryMs = 250;
/** Images are looked at in turns: a folder of thousands of photos must not keep the disk busy. */
const mediaPerPoll = 200;

/**
 * Reads one file as it is on the disk now, or in another folder with copies, with all that is wrong
 * with it.
 */
export async function checkFile<T>(
  folder: string,
  file: SiteFile<T>,
  images: SiteImages,
  origin?: string,
  copies = folder,
): Promise<Checked<T>> {
  const read = await readText(join(copies, file.path), file.maxKilobytes);
  const source = read.kind === "text" ? read.text : "";
  const fail = (problems: Problem[], media: string[] = []): Checked<T> => ({
    ok: false,
    media,
    source,
    problems: problems.map((problem) => ({ file: file.path, ...problem })),
  });
  if (read.kind === "refused") return fail([{ line: read.line, field: "", message: read.message }]);
  if (read.kind === "missing")
    return file.whenMissing
      ? { ok: true, value: file.whenMissing.value, media: [], source }
      : fail([
          {
            line: 0,
            field: "",
            message: "the file is missing: bring it back, or copy that of another city",
          },
        ]);
  const parsed = file.parse(read.text, origin);
  if (!parsed.ok) return fail(parsed.problems);
  const { value, media, problems } = await withMedia(folder, source, parsed.value, images);
  return problems.length > 0 ? fail(problems, media) : { ok: true, value, media, source };
}

/**
 * The site's own origin. Unknown while site.yaml is wrong, which is reported when that file itself
 * is checked.
 */
export async function readOrigin(
  folder: string,
  images: SiteImages,
  copies = folder,
): Promise<string | undefined> {
  const checked = await checkFile(folder, brandFile, images, undefined, copies);
  return checked.ok ? checked.value.origin : undefined;
}

/**
 * The files that a source stands for at this moment: itself, or all Markdown files of its folder.
 */
export async function listFiles(folder: string, source: SiteSource): Promise<SiteFile<unknown>[]> {
  if ("path" in source) return [source];
  const names = await readdir(join(folder, source.folder)).catch(() => []);
  return names
    .filter((name) => name.endsWith(".md") && !isHidden(name))
    .sort()
    .map((name) => source.file(name));
}

/**
 * The city as it stands on the disk now, for a command. What is wrong in it is as good as not
 * there.
 */
export async function readSite(folder: string, sources: SiteSource[]): Promise<SiteReader> {
  const values = new Map<string, unknown>();
  const images = readImages(folder);
  const origin = await readOrigin(folder, images);
  for (const source of sources) {
    for (const file of await listFiles(folder, source)) {
      const checked = await checkFile(folder, file, images, origin);
      if (checked.ok) values.set(file.path, checked.value);
      else if (source === file)
        throw new SetupError(
          `The city's files need a correction:\n${describeProblems(checked.problems)}`,
        );
    }
  }
  return createReader(values);
}

type SiteTools = {
  images: SiteImages;
  log: Log;
  onChange: () => void;
  during: Activities["during"];
  /**
   * Where the last good version of each file is kept, so that a mistake does not close the site at
   * the next start.
   */
  lastGood: string;
};

/** Opens the city's folder and keeps what it says current. What has never been good is refused. */
export async function openSite(
  folder: string,
  sources: SiteSource[],
  { images, log, onChange, during, lastGood }: SiteTools,
): Promise<Site> {
  const values = new Map<string, unknown>();
  const media = createMediaWatch(folder);
  const loaded = new Map<string, string>();
  const seen = new Map<string, string>();
  const allFiles = async () =>
    (await Promise.all(sources.map((source) => listFiles(folder, source)))).flat();

  const saveLastGood = async (path: string, source: string) => {
    const copy = join(lastGood, path);
    try {
      // At most starts nothing has changed, and reading a copy takes less time than writing it.
      if ((await readFile(copy, "utf8").catch(() => null)) === source) return;
      await mkdir(dirname(copy), { recursive: true });
      await writeFile(copy, source);
    } catch (error) {
      log.warn("site.not_copied", { file: path, ...errorFields(error) });
    }
  };

  const problems: FileProblem[] = [];
  const origin = (await readOrigin(folder, images)) ?? (await readOrigin(folder, images, lastGood));
  for (const file of await allFiles()) {
    const fingerprint = await readFingerprint(folder, file.path);
    const checked = await checkFile(folder, file, images, origin);
    await media.note(file.path, checked.media);
    loaded.set(file.path, fingerprint);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      continue;
    }
    const before = await checkFile(folder, file, images, origin, lastGood);
    if (before.ok) {
      values.set(file.path, before.value);
      for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
    }
    // The site can open without one of many stories, but not without a page that every reader may
    // ask for.
    else if (sources.includes(file)) problems.push(...checked.problems);
    else for (const problem of checked.problems) log.warn("site.invalid_left_out", problem);
  }
  if (problems.length > 0)
    throw new SetupError(`The city's files need a correction:\n${describeProblems(problems)}`);

  const currentOrigin = () =>
    values.has(brandFile.path) ? createReader(values).read(brandFile).origin : undefined;

  async function loadIfChanged(file: SiteFile<unknown>): Promise<void> {
    const fingerprint = await readFingerprint(folder, file.path);
    const settled = seen.get(file.path) === fingerprint;
    seen.set(file.path, fingerprint);
    // Loaded when two looks agree, because an editor may still be writing.
    if (!settled || loaded.get(file.path) === fingerprint) return;
    loaded.set(file.path, fingerprint);
    // The last good one: site.yaml may be wrong at the moment.
    const origin = currentOrigin();
    const checked = await during(`site file ${file.path}`, () =>
      checkFile(folder, file, images, origin),
    );
    await media.note(file.path, checked.media);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      // Links in texts depend on the origin, so all files are read again.
      if (currentOrigin() !== origin) for (const path of loaded.keys()) loaded.set(path, "");
      onChange();
      log.info("site.changed", { file: file.path });
      return;
    }
    for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
  }

  /**
   * A record whose file is gone is gone too; a file that every city has is not let go of so easily.
   */
  function dropRemoved(files: SiteFile<unknown>[]): void {
    const there = new Set(
      [...sources, ...files].flatMap((source) => ("path" in source ? [source.path] : [])),
    );
    for (const path of loaded.keys()) {
      if (there.has(path)) continue;
      for (const memory of [values, loaded, seen]) memory.delete(path);
      media.forget(path);
      onChange();
      log.info("site.removed", { file: path });
    }
  }

  // Polled, not watched: a watch goes silent when an editor saves by renaming a new file into
  // place.
  const reported = new Set<string>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  let isFolderThere = true;
  const poll = async () => {
    // A folder that is being exchanged, or whose disk is away, says nothing about its files.
    const wasThere = isFolderThere;
    isFolderThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (wasThere !== isFolderThere)
      log.warn(isFolderThere ? "site.folder_back" : "site.folder_missing", { folder });
    if (!isFolderThere) {
      if (!stopped) timer = setTimeout(poll, pollEveryMs);
      return;
    }
    const files = await allFiles();
    // A file whose image has changed, gone or come is read again.
    for (const path of await media.collectChanged()) loaded.set(path, "");
    for (const { file, message, isMistake } of await findStrays(folder, sources)) {
      if (!isMistake || reported.has(file)) continue;
      reported.add(file);
      log.warn("site.not_used", { file, message });
    }
    for (const file of files) {
      await loadIfChanged(file).catch((error) =>
        log.error("site.not_read", { file: file.path, ...errorFields(error) }),
      );
    }
    dropRemoved(files);
    if (!stopped) timer = setTimeout(poll, pollEveryMs);
  };
  timer = setTimeout(poll, pollEveryMs);

  return {
    ...createReader(values),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Reads what was made of the files. The map holds for each path what that path's own parse has
 * made.
 */
export function createReader(values: ReadonlyMap<string, unknown>): SiteReader {
  return {
    read<T>({ path }: SiteFile<T>): T {
      if (!values.has(path)) throw new Error(`${path} is not among the files of any feature`);
      return values.get(path) as T;
    },
    readAll<T>({ folder }: SiteFolder<T>): T[] {
      const paths = [...values.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
      return paths.map((path) => values.get(path) as T);
    },
  };
}

function describeProblems(problems: FileProblem[]): string {
  return problems.map((problem) => `  ${problem.file}: ${problemSentence(problem)}`).join("\n");
}

async function readFingerprint(folder: string, path: string): Promise<string> {
  const stats = await stat(join(folder, path)).catch(() => null);
  return stats ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
}

/** Remembers which images and films each file names, and notices when one of them changes. */
function createMediaWatch(folder: string) {
  const namedBy = new Map<string, string[]>();
  const loaded = new Map<string, string>();
  const seen = new Map<string, string>();
  let next = 0;
  return {
    async note(path: string, names: string[]): Promise<void> {
      namedBy.set(path, names);
      for (const name of names)
        if (!loaded.has(name)) loaded.set(name, await readFingerprint(folder, name));
    },
    forget(path: string): void {
      namedBy.delete(path);
    },
    /**
     * Returns the files that name something that has changed, each change once and as soon as two
     * looks agree on it.
     */
    async collectChanged(): Promise<string[]> {
      const names = [...new Set([...namedBy.values()].flat())];
      const changed = new Set<string>();
      if (next >= names.length) next = 0;
      for (const name of names.slice(next, next + mediaPerPoll)) {
        const fingerprint = await readFingerprint(folder, name);
        if (seen.get(name) === fingerprint && loaded.get(name) !== fingerprint) {
          loaded.set(name, fingerprint);
          changed.add(name);
        }
        seen.set(name, fingerprint);
      }
      next += mediaPerPoll;
      return [...namedBy]
        .filter(([, named]) => named.some((name) => changed.has(name)))
        .map(([path]) => path);
    },
  };
}
