import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { siteSettingsFile } from "../../app/features/brand/feature.server.ts";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import type { Part } from "../../app/lib/links/parts.ts";
import type {
  Problem,
  SiteFile,
  SiteSource,
  TextParser,
} from "../../app/site-files/site-file.server.ts";
import { isInside, linkAdvice } from "./inside-folder.ts";
import type { ParsedFiles } from "./parsed-files.ts";
import type { SiteImages } from "./site-images.ts";
import { resolveMedia } from "./site-media.ts";
import { isHidden } from "./stray-files.ts";
import { readText } from "./text-file.ts";

export type FileProblem = Problem & { file: string };
/**
 * `media` lists the media files that a site file names, including missing ones. `isMissing` tells
 * whether the site file itself does not exist.
 */
type CheckResult<T> = { media: string[]; isMissing: boolean } & (
  | { ok: true; value: T; source: string }
  | { ok: false; problems: FileProblem[]; source: string; rest?: unknown }
);

/**
 * What reading a site file needs. Without a parser of texts, as in tests, long texts are read in
 * this thread and without a deadline. Only the start of a server reuses values that were `parsed`
 * before.
 */
export type SiteTools = {
  images: SiteImages;
  texts?: TextParser | undefined;
  parsed?: ParsedFiles | undefined;
};

/**
 * Reads one site file as it is on disk now, and reports all its problems. The text can be read from
 * a different folder, `textFolder`, such as the one with the last good versions.
 */
export async function checkFile<T>(
  folder: string,
  file: SiteFile<T>,
  { images, texts, parsed: earlier }: SiteTools,
  origin?: string,
  textFolder = folder,
): Promise<CheckResult<T>> {
  const content = await readText(join(textFolder, file.path), file.maxKilobytes);
  const source = content.kind === "text" ? content.text : "";
  const fail = (problems: Problem[], media: string[] = [], rest?: unknown): CheckResult<T> => ({
    ok: false,
    rest,
    media,
    isMissing: content.kind === "missing",
    source,
    problems: problems
      .toSorted((one, other) => one.line - other.line)
      .map((problem) => ({ file: file.path, ...problem })),
  });
  const refuse = (message: string) => fail([{ line: 0, field: "", message }]);
  if (content.kind === "refused") return refuse(content.message);
  // Only ../network.yaml, which the cities share, is outside the city folder.
  const isShared = file.path.startsWith("../");
  const fileFolder = isShared ? dirname(textFolder) : textFolder;
  if (content.kind === "text" && !(await isInside(fileFolder, join(textFolder, file.path))))
    return refuse(`the file ${linkAdvice}`);
  if (content.kind === "missing")
    return file.whenMissing
      ? { ok: true, value: file.whenMissing.value, media: [], isMissing: true, source }
      : refuse(
          "the file is missing: restore it, or begin with the one in templates/city/ or of another city",
        );
  // A placeholder is left if somebody copied a file of templates/city/ and did not fill it in.
  const placeholders = content.text.split("\n").flatMap((text, index) =>
    [...text.matchAll(/\{\{\w+( \w+)?\}\}/g)].map(([typed]) => ({
      line: index + 1,
      field: "",
      message: `fill in ${typed}, which comes from the template`,
    })),
  );
  if (placeholders.length > 0) return fail(placeholders);
  const parse = async () =>
    texts && file.parseWith
      ? file.parseWith(texts, content.text, origin)
      : file.parse(content.text, origin);
  const parsed = await (earlier
    ? earlier.reuse({ path: file.path, source, origin }, parse)
    : parse());
  const ownFolder = file.path.includes("/") && !isShared ? dirname(file.path) : null;
  if (!parsed.ok) {
    const { rest } = parsed;
    const { media, problems } = await resolveMedia(folder, ownFolder, source, rest, images);
    return fail([...parsed.problems, ...problems], media, rest);
  }
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
    ? fail(problems, media, value)
    : { ok: true, value, media, isMissing: false, source };
}

type FileSettings = { origin?: string | undefined; without: readonly Part[] };

/**
 * Reads what site.yaml says about the other files. That is unknown while site.yaml has a problem,
 * which is reported when that file itself is checked.
 */
export async function readFileSettings(
  folder: string,
  tools: SiteTools,
  textFolder = folder,
): Promise<FileSettings | undefined> {
  const checked = await checkFile(folder, siteSettingsFile, tools, undefined, textFolder);
  return checked.ok ? checked.value : undefined;
}

/** The files and folders of the parts that the city has. */
export const selectSources = (
  sources: SiteSource[],
  { without }: Pick<FileSettings, "without"> = { without: [] },
): SiteSource[] => sources.filter(({ part }) => part === undefined || !without.includes(part));

export const listAllFiles = async (folder: string, sources: SiteSource[]) =>
  (await Promise.all(sources.map((source) => listFiles(folder, source)))).flat();

/**
 * Lists the files of a source as they are now: the file itself, or all Markdown files of a folder.
 * Throws if the folder exists but cannot be read.
 */
export async function listFiles(folder: string, source: SiteSource): Promise<SiteFile<unknown>[]> {
  if ("path" in source) return [source];
  const names = await readdir(join(folder, source.folder)).catch((error: unknown) => {
    if (hasErrorCode(error, "ENOENT")) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(".md") && !isHidden(name))
    .sort()
    .map((name) => source.file(name));
}
