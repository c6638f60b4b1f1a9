import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artFileName, noImageFile } from "../../app/lib/images/art.ts";
import { isDrawing } from "../../app/lib/images/photos.ts";
import { findStrings } from "../../app/lib/text/find-strings.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";
import { documentFileName, videoFileName } from "../../app/site-files/site-fields.server.ts";
import type { Problem } from "../../app/site-files/site-file.server.ts";
import type { SiteImage, SiteImages } from "./site-images.ts";

/** An image in HTML that our own Markdown renderer has written. */
const imageTag = /<img src="((?:\/art\/|\/photos\/[a-z-]{1,40}\/)?[\w-]{1,100}\.\w{3,4})"/g;
/** The whole tag of such an image, with the paragraph around it if that contains nothing else. */
const wholeImageTag =
  /(<p>)?<img src="([^"]{1,200})"(?: [a-z]{1,20}="[^"]{0,4000}"){0,10}>((?:<\/p>)?)/g;
/** An image beside a Markdown file whose text is not rendered yet. */
const markdownImage = /(?<=!\[[^\]\n]{0,500}\]\()([\w-]{1,100}\.\w{3,4})(?=[\s)])/g;
/** A photo by its path or its URL, for example in the HTML of a post. */
const photoPath = /\/photos\/([a-z-]{1,40}\/[\w-]{1,100}\.\w{3,4})/g;
const wholeMarkdownImage = /!\[[^\]\n]{0,500}\]\(([\w-]{1,100}\.\w{3,4})(?:\s[^)\n]{0,500})?\)/g;

type WithMedia<T> = { value: T; media: string[]; problems: Problem[] };

/**
 * Checks the images, videos and documents that a value names. Names of images become paths with a
 * version, and images get their size. A missing or refused file is a problem. The value is without
 * such an image, because a page may be shown despite the problem. The photos of a Markdown file
 * such as news/fire.md may be in the same folder, `ownFolder`.
 */
export async function resolveMedia<T>(
  folder: string,
  ownFolder: string | null,
  source: string,
  value: T,
  images: SiteImages,
): Promise<WithMedia<T>> {
  const strings = new Set(findStrings(value));
  const references = new Set([...strings].flatMap(findImageReferences));
  const otherMedia = [
    { folder: "film", names: [...strings].filter((text) => videoFileName.test(text)) },
    { folder: "documents", names: [...strings].filter((text) => documentFileName.test(text)) },
  ];
  const problems: Problem[] = [];
  const siteImages = new Map<string, SiteImage | null>();
  for (const reference of references) {
    const line = lineNumber(source, reference);
    const result = await findImage(reference, ownFolder, images);
    siteImages.set(reference, result.kind === "image" ? result : null);
    if (result.kind === "image") continue;
    if (result.kind === "refused")
      problems.push({ line, field: result.path, message: result.message });
    else problems.push(await explainMissingImage(line, reference, ownFolder, images));
  }
  for (const { folder: mediaFolder, names } of otherMedia) {
    const present =
      names.length === 0 ? [] : await readdir(join(folder, mediaFolder)).catch((): string[] => []);
    for (const name of names)
      if (!present.includes(name))
        problems.push(createMissingProblem(lineNumber(source, name), mediaFolder, name, present));
  }
  return {
    // The type stays the same, because a name and a path are both strings.
    value: replaceNames(value, siteImages) as T,
    media: [
      ...[...references].flatMap((reference) => listCandidates(reference, ownFolder)),
      ...[...strings].flatMap((text) => [...text.matchAll(photoPath)].map(([, path = ""]) => path)),
      ...otherMedia.flatMap(({ folder: mediaFolder, names }) =>
        names.map((name) => `${mediaFolder}/${name}`),
      ),
    ],
    problems,
  };
}

const findImageReferences = (text: string): string[] =>
  artFileName.test(text)
    ? [text]
    : [imageTag, ...(isHtml(text) ? [] : [markdownImage])].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(([, reference = ""]) => reference),
      );

/** HTML may show Markdown as an example. */
const isHtml = (text: string) => text.startsWith("<");

/** Returns the files that a reference may mean. The first one that exists is shown. */
function listCandidates(reference: string, ownFolder: string | null): string[] {
  if (reference.startsWith("/")) return [reference.replace(/^\/(?:photos\/)?/, "")];
  // Drawings may contain scripts, so they are served only from art/.
  const own = ownFolder === null || isDrawing(reference) ? [] : [`${ownFolder}/${reference}`];
  return [...own, `art/${reference}`];
}

async function findImage(reference: string, ownFolder: string | null, images: SiteImages) {
  for (const path of listCandidates(reference, ownFolder)) {
    const result = await images.read(path);
    if (result.kind !== "missing") return { ...result, path };
  }
  return { kind: "missing" } as const;
}

async function explainMissingImage(
  line: number,
  reference: string,
  ownFolder: string | null,
  images: SiteImages,
): Promise<Problem> {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const folders = listCandidates(reference, ownFolder).map((path) => path.split("/", 1)[0] ?? "");
  const present = (await Promise.all(folders.map(images.listNames))).flat();
  return createMissingProblem(line, folders.join("/ or "), name, present);
}

const createMissingProblem = (
  line: number,
  folder: string,
  name: string,
  present: string[],
): Problem => ({
  line,
  field: "",
  message: `there is no ${name} in ${folder}/${suggestFile(name, present)}`,
});

/** Suggests a file with a similar name, without its extension, because many files share that. */
function suggestFile(name: string, all: string[]): string {
  const stem = (file: string) => file.replace(/\.\w+$/, "");
  const present = all.filter((file) =>
    [artFileName, videoFileName, documentFileName].some((kind) => kind.test(file)),
  );
  const meant = findNearest(stem(name), present.map(stem));
  const file = present.find((each) => stem(each) === meant);
  return file === undefined ? "" : `. Did you mean \`${file}\`?`;
}

const lineNumber = (source: string, text: string) =>
  source.slice(0, source.indexOf(text)).split("\n").length;

/** The images of a value by their names in it. Readers cannot get those that are null. */
type ImagesByName = ReadonlyMap<string, SiteImage | null>;

function replaceNames(value: unknown, images: ImagesByName): unknown {
  if (typeof value === "string") {
    const image = images.get(value);
    return image ? toPath(image) : replaceNamesInText(value, images);
  }
  if (Array.isArray(value)) return value.map((entry) => replaceNames(entry, images));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceNames(entry, images)]),
  );
  const image =
    "file" in value && typeof value.file === "string" ? images.get(value.file) : undefined;
  if (image === undefined || !("width" in value)) return copy;
  if (image === null) {
    const notes = "caption" in value ? { caption: null, credit: null } : {};
    return { ...copy, ...notes, file: noImageFile };
  }
  return { ...copy, file: toLargestPath(image), width: image.width, height: image.height };
}

const replaceNamesInText = (text: string, images: ImagesByName) =>
  text
    .replaceAll(wholeImageTag, (tag, start = "", reference: string, end: string) => {
      if (images.get(reference) !== null) return tag;
      return start && end ? "" : start + end;
    })
    .replaceAll(imageTag, (tag, reference: string) => {
      const image = images.get(reference);
      return image
        ? `<img width="${image.width}" height="${image.height}" src="${toLargestPath(image)}"`
        : tag;
    })
    .replaceAll(wholeMarkdownImage, (markdown, reference: string) =>
      images.get(reference) === null && !isHtml(text) ? "" : markdown,
    )
    .replaceAll(markdownImage, (reference) => {
      const image = images.get(reference);
      return image && !isHtml(text) ? toLargestPath(image) : reference;
    });

const toBasePath = ({ path }: SiteImage) =>
  path.startsWith("art/") ? `/${path}` : `/photos/${path}`;

/**
 * The path of the current version of an image. A different version has a different path, so no
 * cache shows an old image.
 */
const toPath = (image: SiteImage) => `${toBasePath(image)}?v=${image.version}`;

/** The path from which pages derive the paths of all variants of a photo: see lib/images/photos. */
const toLargestPath = (image: SiteImage) =>
  image.format === "svg"
    ? toPath(image)
    : `${toBasePath(image)}/${image.width}.${image.format}?v=${image.version}`;
