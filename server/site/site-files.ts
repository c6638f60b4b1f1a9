import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { errorFields, errorMessage, type Log } from "../../app/lib/log.ts";
import type {
  SiteContent,
  SiteFile,
  SiteSource,
  TextParser,
} from "../../app/site-files/site-file.server.ts";
import { toProblemSentence } from "../../app/site-files/site-yaml.server.ts";
import { SetupError } from "../process/setup-error.ts";
import type { Activities } from "../process/watchdog.ts";
import {
  checkFile,
  type FileProblem,
  listAllFiles,
  listFiles,
  readFileSettings,
  type SiteTools,
  selectSources,
} from "./check-file.ts";
import { createFileWatch, createFolderWatch, createMediaWatch } from "./file-watch.ts";
import { openParsedFiles } from "./parsed-files.ts";
import { readImages } from "./site-images.ts";
import { createSiteContent, notReadMessage, SiteValues } from "./site-values.ts";
import { findStrays, servedFolders } from "./stray-files.ts";

export type OpenedSite = SiteContent & {
  /** The content of every file that is in use, by path. */
  values: ReadonlyMap<string, unknown>;
  /** Lists all files, including those that are not in use because they have a mistake. */
  listPaths(): string[];
  /** Whether any site file names this media file, such as news/pier.jpg. */
  isNamed(path: string): boolean;
  /** What is wrong with the files as they are now. Readers see the last good version of each. */
  findProblems(): Promise<FileProblem[]>;
  stop(): void;
};

const pollEveryMs = 1_000;
/** The next poll is earlier while a file changes, because a change counts when two polls agree. */
const pollAgainMs = 250;
/** Each poll checks this many files, or half of them. So every change is noticed in two seconds. */
const minFilesPerPoll = 250;

/**
 * Reads the city folder as it is on disk now, for a command. One of many files in a folder, such as
 * a story, is left out if it has a problem. A problem in a file that every city has is an error. So
 * is the use of a file or folder that is not among `sources`.
 */
export async function readSite(
  folder: string,
  sources: SiteSource[],
  texts?: TextParser,
): Promise<SiteContent> {
  const values = new Map<string, unknown>();
  const paths: string[] = [];
  const tools = { images: readImages(folder), texts };
  const settings = await readFileSettings(folder, tools);
  for (const source of selectSources(sources, settings)) {
    for (const file of await listFiles(folder, source)) {
      paths.push(file.path);
      const checked = await checkFile(folder, file, tools, settings?.origin);
      if (checked.ok) values.set(file.path, checked.value);
      else if (source === file)
        throw new SetupError(
          `The site files have problems:\n${describeProblems(checked.problems)}`,
        );
    }
  }
  const content = createSiteContent(values, sources, () => paths);
  const names = new Set(sources.map((each) => ("path" in each ? each.path : each.folder)));
  function requireSource(name: string): void {
    if (!names.has(name)) throw new Error(notReadMessage(name));
  }
  return {
    ...content,
    readAll(source) {
      requireSource(source.folder);
      return content.readAll(source);
    },
    names(source) {
      requireSource(source.folder);
      return content.names(source);
    },
    hasPage(path) {
      requireSource(siteSettingsFile.path);
      return content.hasPage(path);
    },
  };
}

const limitLastGood = <T>(file: SiteFile<T>, value: T, source: string): T =>
  file.whenInvalid ? file.whenInvalid(value, source) : value;

type OpenSiteOptions = Omit<SiteTools, "parsed"> & {
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
  /** The build that runs. In development, where the code can change, there is none. */
  build: string | undefined;
};

/**
 * Opens the city folder and reloads its files when they change. Fails if a required file has
 * problems and no last good version.
 */
export async function openSite(
  folder: string,
  sources: SiteSource[],
  { images, texts, log, onChange, prepareMedia, track, lastGoodFolder, build }: OpenSiteOptions,
): Promise<OpenedSite> {
  const tools = { images, texts };
  const values = new SiteValues();
  const subfolders = [
    ...servedFolders,
    ...sources.flatMap((source) => ("folder" in source ? [source.folder] : [])),
  ];
  const mediaWatch = createMediaWatch(folder);
  const folderWatch = createFolderWatch(folder, ["", ...subfolders]);
  const watch = createFileWatch(folder);

  let canCopy = true;
  const saveLastGood = async (path: string, source: string) => {
    const copy = join(lastGoodFolder, path);
    try {
      // Usually nothing has changed since the last start, and comparing a copy is faster than
      // writing it.
      if ((await readFile(copy, "utf8").catch(() => null)) === source) return;
      await mkdir(dirname(copy), { recursive: true });
      await writeFile(copy, source);
      canCopy = true;
    } catch (error) {
      // On a full disk no file can be copied, and one line about it is enough.
      if (canCopy) log.warn("site.not_copied", { file: path, message: errorMessage(error) });
      canCopy = false;
    }
  };

  /** A new file with a mistake must not bring back the text of a removed one with the same name. */
  const deleteLastGood = (path: string) =>
    rm(join(lastGoodFolder, path), { force: true }).catch((error) =>
      log.warn("site.not_forgotten", { file: path, ...errorFields(error) }),
    );

  const fatalProblems: FileProblem[] = [];
  const problemsByFile = new Map<string, FileProblem[]>();
  const parsed =
    build === undefined ? undefined : await openParsedFiles(`${lastGoodFolder}.parsed`, build);
  const startTools = { ...tools, parsed };
  const settings =
    (await readFileSettings(folder, startTools)) ??
    (await readFileSettings(folder, startTools, lastGoodFolder));
  const startFiles = await listAllFiles(folder, selectSources(sources, settings));
  for (const source of sources) {
    if (!("folder" in source)) continue;
    for (const file of await listFiles(lastGoodFolder, source))
      if (!startFiles.some(({ path }) => path === file.path)) await deleteLastGood(file.path);
  }
  for (const file of startFiles) {
    await watch.add(file.path);
    const checked = await checkFile(folder, file, startTools, settings?.origin);
    await mediaWatch.remember(file.path, checked.media);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      continue;
    }
    problemsByFile.set(file.path, checked.problems);
    const previous = await checkFile(folder, file, startTools, settings?.origin, lastGoodFolder);
    await mediaWatch.remember(file.path, [...checked.media, ...previous.media]);
    if (previous.ok) {
      values.set(file.path, limitLastGood(file, previous.value, checked.source));
      for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
    }
    // The site can start without one of many stories, but not without a file that every city has.
    else if (sources.includes(file)) fatalProblems.push(...checked.problems);
    else for (const problem of checked.problems) log.warn("site.invalid_left_out", problem);
  }
  await parsed?.store();
  if (fatalProblems.length > 0)
    throw new SetupError(`The site files have problems:\n${describeProblems(fatalProblems)}`);

  const content = createSiteContent(values, sources, watch.paths);
  const currentSettings = () =>
    values.has(siteSettingsFile.path) ? content.read(siteSettingsFile) : undefined;
  const currentSources = () => selectSources(sources, currentSettings());
  let haveSourcesChanged = false;

  let isChanging = false;
  async function load(file: SiteFile<unknown>): Promise<void> {
    // This is the last good origin, because site.yaml may have a problem at the moment.
    const { origin, without } = currentSettings() ?? {};
    const checked = await track(`site file ${file.path}`, () =>
      checkFile(folder, file, tools, origin),
    );
    await mediaWatch.remember(file.path, checked.media);
    problemsByFile.set(file.path, checked.ok ? [] : checked.problems);
    if (checked.ok) {
      values.set(file.path, checked.value);
      await saveLastGood(file.path, checked.source);
      // Links in the files depend on the origin, so all files have to be read again.
      if (currentSettings()?.origin !== origin)
        for (const path of watch.paths()) watch.outdate(path);
      haveSourcesChanged ||= !isDeepStrictEqual(currentSettings()?.without, without);
      onChange();
      log.info("site.changed", { file: file.path });
      prepareMedia(checked.media).catch((error) =>
        log.warn("image.not_prepared", { file: file.path, ...errorFields(error) }),
      );
      return;
    }
    for (const problem of checked.problems) log.warn("site.invalid_kept_last_good", problem);
    await track(`site file ${file.path}`, () => reloadLastGood(file, checked, origin));
  }

  /** A last good version stays in use, but without photos that were removed or damaged since. */
  async function reloadLastGood(
    file: SiteFile<unknown>,
    { media, source }: { media: string[]; source: string },
    origin: string | undefined,
  ): Promise<void> {
    const previous = await checkFile(folder, file, tools, origin, lastGoodFolder);
    // Without a copy, for example because the disk is full, the value in memory is all there is.
    if (!previous.ok || previous.source === "" || !values.has(file.path)) return;
    await mediaWatch.remember(file.path, [...media, ...previous.media]);
    const value = limitLastGood(file, previous.value, source);
    if (isDeepStrictEqual(values.get(file.path), value)) return;
    values.set(file.path, value);
    onChange();
  }

  /** Files that were missing in the last poll. */
  let missing = new Set<string>();
  /**
   * Drops the values of files that were removed from a folder, such as stories, and those of parts
   * that the city no longer has. A file counts as removed if two polls agree, because its folder
   * may be replaced at this moment. If a file that every city has is missing, its last value stays.
   */
  function dropRemoved(files: SiteFile<unknown>[]): void {
    const present = new Set(
      [...currentSources(), ...files].flatMap((source) => ("path" in source ? [source.path] : [])),
    );
    const missingBefore = missing;
    missing = new Set(watch.paths().filter((path) => !present.has(path)));
    if (missing.size > 0) isChanging = true;
    for (const path of missing) {
      if (!missingBefore.has(path)) continue;
      for (const memory of [values, problemsByFile]) memory.delete(path);
      for (const each of [watch, mediaWatch]) each.remove(path);
      void deleteLastGood(path);
      onChange();
      log.info("site.removed", { file: path });
    }
  }

  // The folder is polled, because `fs.watch` stops working when an editor saves a file by renaming a
  // new one into place.
  let isStopped = false;
  let timer: NodeJS.Timeout;
  let folderExists = true;
  let isUnreadable = false;
  const poll = async () => {
    const isEarly = isChanging;
    isChanging = false;
    // While the folder is being replaced or its disk is not mounted, missing files mean nothing.
    const existedBefore = folderExists;
    folderExists = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (existedBefore !== folderExists)
      log.warn(folderExists ? "site.folder_back" : "site.folder_missing", { folder });
    if (folderExists) await readChanges(isEarly);
    else missing.clear();
    if (!isStopped) timer = setTimeout(poll, isChanging ? pollAgainMs : pollEveryMs);
  };
  const findStrayProblems = async (): Promise<FileProblem[]> =>
    (await findStrays(folder, sources, mediaWatch.names()))
      .filter(({ isMistake }) => isMistake)
      .map(({ file, message }) => ({ file, line: 0, field: "", message }));

  let files: SiteFile<unknown>[] | null = null;
  const readChanges = async (isEarly: boolean) => {
    const haveFoldersChanged = await folderWatch.haveChanged();
    const isListed = haveFoldersChanged || haveSourcesChanged || missing.size > 0;
    haveSourcesChanged = false;
    if (isListed || files === null) {
      files = await listAllFiles(folder, currentSources()).catch((error: unknown) => {
        if (!isUnreadable) log.error("site.not_read", errorFields(error));
        return null;
      });
      isUnreadable = files === null;
      if (files === null) return;
    }
    // A file is read again when an image that it names was changed, removed, added or damaged.
    const media = await mediaWatch.collectChanged(images.takeDamaged(), isListed);
    for (const path of media.files) watch.outdate(path);
    const paths = files.map(({ path }) => path);
    const inTurn = isEarly ? 0 : Math.max(minFilesPerPoll, Math.ceil(paths.length / 2));
    const polled = await watch.poll(paths, isListed ? paths.length : inTurn);
    isChanging = media.isChanging || polled.isChanging;
    for (const file of files.filter(({ path }) => polled.changed.includes(path)))
      await load(file).catch((error) =>
        log.error("site.not_read", { file: file.path, ...errorFields(error) }),
      );
    if (isListed) dropRemoved(files);
  };
  timer = setTimeout(poll, pollEveryMs);

  return {
    ...content,
    values,
    listPaths: watch.paths,
    isNamed: mediaWatch.isNamed,
    findProblems: async () => [
      ...[...problemsByFile.values()].flat(),
      ...(await findStrayProblems()),
    ],
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function describeProblems(problems: FileProblem[]): string {
  return problems.map((problem) => `  ${problem.file}: ${toProblemSentence(problem)}`).join("\n");
}
