import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artFileName } from "../../app/lib/site/art.ts";
import { documentFileName, videoFileName } from "../../app/lib/site/site-fields.server.ts";
import type { Problem } from "../../app/lib/site/site-file.server.ts";
import { findStrings } from "../../app/lib/text/find-strings.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";
import { type SiteImage, type SiteImages, versionedPath } from "./site-images.ts";

/** An image in HTML that our own Markdown renderer has written. */
const imageTag = /<img src="\/art\/([\w-]{1,100}\.\w{3,4})"/g;

type WithMedia<T> = { value: T; media: string[]; problems: Problem[] };

/**
 * Checks the images, videos and documents that a value names. Names of images become paths with a
 * version, images get their size, and a missing file is a problem.
 */
export async function resolveMedia<T>(
  folder: string,
  source: string,
  value: T,
  images: SiteImages,
): Promise<WithMedia<T>> {
  const strings = new Set(findStrings(value));
  const art = new Set([...strings].flatMap(findImageNames));
  const otherMedia = [
    { folder: "film", names: [...strings].filter((text) => videoFileName.test(text)) },
    { folder: "documents", names: [...strings].filter((text) => documentFileName.test(text)) },
  ];
  const problems: Problem[] = [];
  const siteImages = new Map<string, SiteImage>();
  for (const name of art) {
    const result = await images.read(name);
    if (result.kind === "image") siteImages.set(name, result);
    else if (result.kind === "refused")
      problems.push({
        line: lineNumber(source, name),
        field: `art/${name}`,
        message: result.message,
      });
    else problems.push(createMissingProblem(source, "art", name, await images.listNames()));
  }
  for (const { folder: mediaFolder, names } of otherMedia) {
    const present =
      names.length === 0 ? [] : await readdir(join(folder, mediaFolder)).catch((): string[] => []);
    for (const name of names)
      if (!present.includes(name))
        problems.push(createMissingProblem(source, mediaFolder, name, present));
  }
  return {
    value: replaceNames(value, siteImages),
    media: [
      ...[...art].map((name) => `art/${name}`),
      ...otherMedia.flatMap(({ folder: mediaFolder, names }) =>
        names.map((name) => `${mediaFolder}/${name}`),
      ),
    ],
    problems,
  };
}

const findImageNames = (text: string): string[] =>
  artFileName.test(text) ? [text] : [...text.matchAll(imageTag)].map(([, name = ""]) => name);

const createMissingProblem = (
  source: string,
  folder: string,
  name: string,
  present: string[],
): Problem => ({
  line: lineNumber(source, name),
  field: "",
  message: `there is no ${name} in ${folder}/${suggestFile(name, present)}`,
});

/**
 * Suggests a file with a similar name. Extensions are not compared, because many files share one.
 */
function suggestFile(name: string, all: string[]): string {
  const isKnown = (file: string) =>
    [artFileName, videoFileName, documentFileName].some((kind) => kind.test(file));
  const present = all.filter(isKnown);
  const stem = (file: string) => file.replace(/\.\w+$/, "");
  const meant = findNearest(stem(name), present.map(stem));
  const file = present.find((each) => stem(each) === meant);
  return file === undefined ? "" : `. Did you mean \`${file}\`?`;
}

const lineNumber = (source: string, text: string) =>
  source.slice(0, source.indexOf(text)).split("\n").length;

/**
 * Returns the same value with every name of an image replaced. The type stays the same, because a
 * name and a path are both strings.
 */
function replaceNames<T>(value: T, images: Map<string, SiteImage>): T {
  return replaceNamesIn(value, images) as T;
}

function replaceNamesIn(value: unknown, images: Map<string, SiteImage>): unknown {
  if (typeof value === "string") {
    const image = images.get(value);
    if (image) return versionedPath(value, image);
    return value.replaceAll(imageTag, (tag, name: string) => {
      const shown = images.get(name);
      return shown
        ? `<img width="${shown.width}" height="${shown.height}" src="${versionedPath(name, shown)}"`
        : tag;
    });
  }
  if (Array.isArray(value)) return value.map((entry) => replaceNamesIn(entry, images));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceNamesIn(entry, images)]),
  );
  const image =
    "file" in value && typeof value.file === "string" ? images.get(value.file) : undefined;
  return image && "width" in value ? { ...copy, width: image.width, height: image.height } : copy;
}
