import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import type {
  Problem,
  SiteFile,
  SiteFolder,
  SiteReader,
  SiteSource,
  TextReader,
} from "../../app/lib/site/site-file.server.ts";
import { toProblemSentence } from "../../app/lib/site/site-yaml.server.ts";
import type { Activities } from "../process/activities.ts";
import { SetupError } from "../process/setup-error.ts";
import { readImages, type SiteImages } from "./site-images.ts";
import { guessMedia, resolveMedia } from "./site-media.ts";
import { findStrays, isHidden } from "./stray-files.ts";
import { readText } from "./text-file.ts";

type FileProblem = Problem & { file: string };
/** `media` lists the media files that a site file names, including missing ones. */
type CheckResult<T> = { media: string[] } & (
  | { ok: true; value: T; source: string }
  | { ok: false; problems: FileProblem[]; source: string }
);

type Site = SiteReader & { stop(): void };

const pollEveryMs = 250;
/** Each poll checks only some images, so that thousands of photos do not keep the disk busy. */
const mediaPerPoll = 200;

/** What reading a site file needs. Without a reader of texts, long texts are read in this thread. */
type SiteTools = { images: SiteImages; texts?: TextReader | undefined };

/**
 * Reads one site file as it is on disk now, and reports all its problems. The text can be read from
 * a different folder, `textFolder`, such as the one with the last good versions.
 */
export async function checkFile<T>(
  folder: string,
  file: SiteFile<T>,
  { images, texts }: SiteTools,
  origin?: string,
  textFolder = folder,
): Promise<CheckResult<T>> {
  const content = await readText(join(textFolder, file.path), file.maxKilobytes);
  const source = content.kind === "text" ? content.text : "";
  const fail = (problems: Problem[], media: string[] = []): CheckResult<T> => ({
    ok: false,
    media,
    source,
    problems: problems.map((problem) => ({ file: file.path, ...problem })),
  });
  if (content.kind === "refused")
    return fail([{ line: content.line, field: "", message: content.message }]);
  if (content.kind === "missing")
    return file.whenMissing
      ? { ok: true, value: file.whenMissing.value, media: [], source }
      : fail([
          {
            line: 0,
            field: "",
            message: "the file is missing: restore it, or copy it from another city",
          },
        ]);
  const parsed =
    texts && file.parseWith
      ? await file.parseWith(texts, content.text, origin)
      : file.parse(content.text, origin);
  const ownFolder = file.path.includes("/") ? dirname(file.path) : null;
  if (!parsed.ok) return fail(parsed.problems, guessMedia(source, ownFolder));
  const { value, media, problems } = await resolveMedia(
    folder,
    ownFolder,
    source,
    parsed.value,
    images,
  );
  // A last good version is shown even if its photo has been removed since, but without it.
  const isLastGood = textFolder !== folder;
  return problems.length > 0 && !isLastGood
    ? fail(problems, media)
    : { ok: true, value, media, source };
}

/**
 * Returns the origin of the site. It is unknown while site.yaml has a problem, which is reported
 * when that file itself is checked.
 */
export async function readOrigin(
  folder: string,
  tools: SiteTools,
  textFolder = folder,
): Promise<string | undefined> {
  const checked = await checkFile(folder, siteSettingsFile, tools, undefined, textFolder);
  return checked.ok ? checked.value.origin : undefined;
}

/**
 * Lists the files of a source as they are now: the file itself, or all Markdown files of a folder.
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
 * Reads the city folder as it is on disk now, for a command. One of many files in a folder, such as
 * a story, is left out if it has a problem. A problem in a file that every city has is an error.
 */
export async function readSite(
  folder: string,
  sources: SiteSource[],
  texts?: TextReader,
): Promise<SiteReader> {
  const values = new Map<string, unknown>();
  const tools = { images: readImages(folder), texts };
  const origin = await readOrigin(folder, tools);
  for (const source of sources) {
    for (const file of await listFiles(folder, source)) {
      const checked = await checkFile(folder, file, tools, origin);
      if (checked.ok) values.set(file.path, checked.value);
      else if (source === file)
        throw new SetupError(
          `The site files have problems:\n${describeProblems(checked.problems)}`,
        );
    }
  }
  return createReader(values);
}

type OpenSiteOptions = SiteTools & {
  log: Log;
  onChange: () => void;
  /** Called with the media files that a changed file names. */
  prepareMedia: (paths: string[]) => Promise<void>;
  track: Activities["track"];
  /**
   * The folder with the last good version of each file, so that the site can still start after an
   * editor's mistake.
   */
  lastGoodFolder: string;
};

/**
 * Opens the city folder and reloads its files when they change. Fails if a required file has
 * problems and no last good version.
 */
export async function openSite(
  folder: string,
  sources: SiteSource[],
  { images, texts, log, onChange, prepareMedia, track, lastGoodFolder }: OpenSiteOptions,
): Promise<Site> {
  const tools = { images, texts };
  const values = new SiteValues();
  const mediaWatch = createMediaWatch(folder);
  const loadedFingerprints = new Map<string, string>();
  const lastFingerprints = new Map<string, string>();
  const listAllFiles = async () =>
    (await Promise.all(sources.map((source) => listFiles(folder, source)))).flat();

  const saveLastGood = async (path: string, source: string) => {
    const copy = join(lastGoodFolder, path);
    try {
      // Usually nothing has changed since the last start, and comparing a copy is faster than
      // writing it.
      if ((await readFile(copy, "utf8").catch(() => null)) === source) return;
      await mkdir(dirname(copy), { recursive: true });
      await writeFile(copy, source);
    } catch (error) {
      log.warn("site.not_copied", { file: path, ...errorFields(error) });
    }
  };

  const problems: FileProblem[] = [];
  const origin =
    (await readOrigin(folder, tools)) ?? (await readOrigin(folder, tools, lastGoodFolder));
  for (const file of await listAllFiles()) {
    const fingerprint = await readFingerprint(folder, file.path);
    const checked = await checkFile(folder, file, tools, origin);
    await mediaWatch.remember(file.path, checked.media);
    loadedFingerprints.set(file.path, fingerprint);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      continue;
    }
    const previous = await checkFile(folder, file, tools, origin, lastGoodFolder);
    await mediaWatch.remember(file.path, [...checked.media, ...previous.media]);
    if (previous.ok) {
      values.set(file.path, previous.value);
      for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
    }
    // The site can start without one of many stories, but not without a file that every city has.
    else if (sources.includes(file)) problems.push(...checked.problems);
    else for (const problem of checked.problems) log.warn("site.invalid_left_out", problem);
  }
  if (problems.length > 0)
    throw new SetupError(`The site files have problems:\n${describeProblems(problems)}`);

  const currentOrigin = () =>
    values.has(siteSettingsFile.path)
      ? createReader(values).read(siteSettingsFile).origin
      : undefined;

  async function loadIfChanged(file: SiteFile<unknown>): Promise<void> {
    const fingerprint = await readFingerprint(folder, file.path);
    const isStable = lastFingerprints.get(file.path) === fingerprint;
    lastFingerprints.set(file.path, fingerprint);
    // The file is loaded when two polls agree, because an editor may still be writing it.
    if (!isStable || loadedFingerprints.get(file.path) === fingerprint) return;
    loadedFingerprints.set(file.path, fingerprint);
    // This is the last good origin, because site.yaml may have a problem at the moment.
    const origin = currentOrigin();
    const checked = await track(`site file ${file.path}`, () =>
      checkFile(folder, file, tools, origin),
    );
    await mediaWatch.remember(file.path, checked.media);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      // Links in the files depend on the origin, so all files have to be read again.
      if (currentOrigin() !== origin)
        for (const path of loadedFingerprints.keys()) loadedFingerprints.set(path, "");
      onChange();
      log.info("site.changed", { file: file.path });
      prepareMedia(checked.media).catch((error) =>
        log.warn("image.not_prepared", { file: file.path, ...errorFields(error) }),
      );
      return;
    }
    for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
    await track(`site file ${file.path}`, () => updateLastGood(file, checked.media, origin));
  }

  /** A last good version stays in use, but without photos that were removed or damaged since. */
  async function updateLastGood(
    file: SiteFile<unknown>,
    media: string[],
    origin: string | undefined,
  ): Promise<void> {
    const previous = await checkFile(folder, file, tools, origin, lastGoodFolder);
    // Without a copy, for example because the disk is full, the value in memory is all there is.
    if (!previous.ok || previous.source === "" || !values.has(file.path)) return;
    await mediaWatch.remember(file.path, [...media, ...previous.media]);
    if (isDeepStrictEqual(values.get(file.path), previous.value)) return;
    values.set(file.path, previous.value);
    onChange();
  }

  /**
   * Drops the values of files that were removed from a folder, such as stories. If a file that
   * every city has is missing, its last value stays.
   */
  function dropRemoved(files: SiteFile<unknown>[]): void {
    const present = new Set(
      [...sources, ...files].flatMap((source) => ("path" in source ? [source.path] : [])),
    );
    for (const path of loadedFingerprints.keys()) {
      if (present.has(path)) continue;
      for (const memory of [values, loadedFingerprints, lastFingerprints]) memory.delete(path);
      mediaWatch.remove(path);
      onChange();
      log.info("site.removed", { file: path });
    }
  }

  // The folder is polled, because a watch stops working when an editor saves a file by renaming a
  // new one into place.
  const reported = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout;
  let folderExists = true;
  const poll = async () => {
    // While the folder is being replaced or its disk is not mounted, missing files mean nothing.
    const existedBefore = folderExists;
    folderExists = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (existedBefore !== folderExists)
      log.warn(folderExists ? "site.folder_back" : "site.folder_missing", { folder });
    if (!folderExists) {
      if (!isStopped) timer = setTimeout(poll, pollEveryMs);
      return;
    }
    const files = await listAllFiles();
    // A file is read again when an image that it names was changed, removed, added or damaged.
    for (const path of await mediaWatch.collectChanged(images.takeDamaged()))
      loadedFingerprints.set(path, "");
    for (const { file, message, isMistake } of await findStrays(
      folder,
      sources,
      mediaWatch.names(),
    )) {
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
    if (!isStopped) timer = setTimeout(poll, pollEveryMs);
  };
  timer = setTimeout(poll, pollEveryMs);

  return {
    ...createReader(values),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** The parsed files by path. The version changes with every change. */
export class SiteValues extends Map<string, unknown> {
  version = 0;

  override set(path: string, value: unknown): this {
    this.version += 1;
    return super.set(path, value);
  }

  override delete(path: string): boolean {
    this.version += 1;
    return super.delete(path);
  }
}

/**
 * Creates a reader of parsed files. For each path, the map holds the value that the `parse` of that
 * file returned.
 */
export function createReader(values: ReadonlyMap<string, unknown> | SiteValues): SiteReader {
  /** Finding and sorting the paths of thousands of stories takes too long to do for each request. */
  const folders = new Map<string, { version: number; records: readonly unknown[] }>();
  return {
    read<T>({ path }: SiteFile<T>): T {
      if (!values.has(path)) throw new Error(`No feature declares the file ${path}.`);
      return values.get(path) as T;
    },
    readAll<T>({ folder }: SiteFolder<T>): readonly T[] {
      const version = values instanceof SiteValues ? values.version : null;
      const known = folders.get(folder);
      if (version !== null && known?.version === version) return known.records as readonly T[];
      const paths = [...values.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
      const records = paths.map((path) => values.get(path) as T);
      if (version !== null) folders.set(folder, { version, records });
      return records;
    },
  };
}

function describeProblems(problems: FileProblem[]): string {
  return problems.map((problem) => `  ${problem.file}: ${toProblemSentence(problem)}`).join("\n");
}

async function readFingerprint(folder: string, path: string): Promise<string> {
  const stats = await stat(join(folder, path)).catch(() => null);
  return stats ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
}

/** Remembers which images and videos each file names, and notices when one of them changes. */
function createMediaWatch(folder: string) {
  const mediaByFile = new Map<string, string[]>();
  const loadedFingerprints = new Map<string, string>();
  const lastFingerprints = new Map<string, string>();
  let nextIndex = 0;
  let names = new Set<string>();
  const updateNames = () => {
    names = new Set([...mediaByFile.values()].flat());
  };

  /** Returns the named files that exist. Listing a folder is faster than looking for each file. */
  async function listPresent(): Promise<Set<string>> {
    const present = new Set<string>();
    for (const mediaFolder of new Set([...names].map(dirname)))
      for (const name of await readdir(join(folder, mediaFolder)).catch(() => []))
        present.add(`${mediaFolder}/${name}`);
    return present;
  }

  return {
    /** Returns the media files that any file names, including missing ones. */
    names: (): ReadonlySet<string> => names,
    async remember(path: string, named: string[]): Promise<void> {
      mediaByFile.set(path, named);
      updateNames();
      for (const name of named)
        if (!loadedFingerprints.has(name))
          loadedFingerprints.set(name, await readFingerprint(folder, name));
    },
    remove(path: string): void {
      mediaByFile.delete(path);
      updateNames();
    },
    /**
     * Returns the files that name a changed image or video. Each change is returned once, as soon
     * as two polls agree on it. A file that was added or removed is noticed at once, and one that
     * was replaced when its turn comes. `damaged` are photos that are refused from now on.
     */
    async collectChanged(damaged: string[]): Promise<string[]> {
      const present = await listPresent();
      const changed = new Set(damaged);
      if (nextIndex >= names.size) nextIndex = 0;
      const inTurn = new Set([...names].slice(nextIndex, nextIndex + mediaPerPoll));
      nextIndex += mediaPerPoll;
      for (const name of names) {
        const loaded = loadedFingerprints.get(name);
        const last = lastFingerprints.get(name) ?? loaded;
        const isChanging = last !== loaded || present.has(name) === (loaded === "missing");
        if (!inTurn.has(name) && !isChanging) continue;
        const fingerprint = present.has(name) ? await readFingerprint(folder, name) : "missing";
        if (lastFingerprints.get(name) === fingerprint && loaded !== fingerprint) {
          loadedFingerprints.set(name, fingerprint);
          changed.add(name);
        }
        lastFingerprints.set(name, fingerprint);
      }
      return [...mediaByFile]
        .filter(([, named]) => named.some((name) => changed.has(name)))
        .map(([path]) => path);
    },
  };
}
