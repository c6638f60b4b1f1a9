import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artFileName } from "../../app/lib/images/art.ts";
import { isDrawing } from "../../app/lib/images/photos.ts";
import type { Part } from "../../app/lib/links/parts.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";
import { explainImageName, isImageName } from "../../app/site-files/image-names.server.ts";
import { type SiteSource, toRenameAdvice } from "../../app/site-files/site-file.server.ts";
import { isInside, linkAdvice } from "./inside-folder.ts";

/**
 * A file in the city folder that nothing reads. It is a mistake if the editor probably expects the
 * site to use it.
 */
type StrayFile = { file: string; message: string; isMistake: boolean };

/** Folders with images, videos, documents and audio. Their files have no fixed names. */
export const servedFolders = ["art", "covers", "documents", "film"];
const mediaFolders = [...servedFolders, "radio"];

/** Whether a file belongs to the operating system or to a text editor. */
export const isHidden = (name: string) =>
  /^[.#~]|~$|\.(tmp|swp|swx|bak|part|orig)$|^(Thumbs\.db|desktop\.ini)$/i.test(name);

/**
 * `without` lists the parts that the city leaves out, and `usedMedia` contains the photos that the
 * site files name.
 */
export async function findStrays(
  folder: string,
  sources: SiteSource[],
  without: readonly Part[],
  usedMedia: ReadonlySet<string>,
): Promise<StrayFile[]> {
  const [off = [], used = []] = [true, false].map((isOff) =>
    sources.filter(({ part }) => (part !== undefined && without.includes(part)) === isOff),
  );
  const files = used.flatMap((source) =>
    "path" in source && !source.path.includes("/") ? [source.path] : [],
  );
  const folders = used.flatMap((source) => ("folder" in source ? [source.folder] : []));
  const known = [...files, ...folders, ...mediaFolders];
  const topLevelStrays = (await listEntries(folder)).flatMap(({ name, isFolder }): StrayFile[] => {
    const unused = off.find((source) => name === ("path" in source ? source.path : source.folder));
    if (unused)
      return [{ file: name, message: explainUnused(unused.part, isFolder), isMistake: false }];
    if (known.includes(name)) return [];
    const meant = findNearestFile(name, isFolder ? [...folders, ...mediaFolders] : files);
    const hint = meant === undefined ? "" : `. Did you mean \`${meant}\`?`;
    const message = `the site does not use this ${isFolder ? "folder" : "file"}${hint}`;
    return [{ file: name, message, isMistake: meant !== undefined }];
  });
  const inFolders = await Promise.all([
    ...folders.map((name) => findStraysIn(folder, name, usedMedia)),
    ...servedFolders.map((name) => findLinksOut(folder, name)),
  ]);
  return [...topLevelStrays, ...inFolders.flat()];
}

const explainUnused = (part: Part | undefined, isFolder: boolean) =>
  `the site does not use this ${isFolder ? "folder" : "file"}, because \`without\` in site.yaml lists ${part}`;

async function findLinksOut(folder: string, name: string): Promise<StrayFile[]> {
  const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
  const strays: StrayFile[] = [];
  for (const entry of entries) {
    if (!entry.isSymbolicLink()) continue;
    const file = `${name}/${entry.name}`;
    if (!(await isInside(folder, join(folder, file)).catch(() => true)))
      strays.push({ file, message: `the file ${linkAdvice}`, isMistake: true });
  }
  return strays;
}

async function findStraysIn(
  folder: string,
  name: string,
  usedMedia: ReadonlySet<string>,
): Promise<StrayFile[]> {
  return (await listEntries(join(folder, name))).flatMap((entry): StrayFile[] => {
    const file = `${name}/${entry.name}`;
    const stray = (message: string, isMistake = true) => [{ file, message, isMistake }];
    if (entry.isFolder)
      return stray(`the site does not read this folder: move its files to ${name}/`);
    if (entry.name.endsWith(".md")) return [];
    if (/\.(md|markdown|mdown|mkd|txt)$/i.test(entry.name))
      return stray(`the site does not use this file: ${toRenameAdvice(entry.name)}`);
    if (isDrawing(entry.name))
      return stray("the site does not use this file: drawings belong in art/");
    if (artFileName.test(entry.name))
      return usedMedia.has(file)
        ? []
        : stray(`no file in ${name}/ names this photo, so readers do not get it`, false);
    if (isImageName(entry.name)) return stray(`the file ${explainImageName(entry.name)}`);
    return stray(`the site does not use this file: only .md files and photos belong in ${name}/`);
  });
}

async function listEntries(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !isHidden(name))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/**
 * Finds the file that an editor probably meant, by its name without the extension: for
 * `donate.yaml` and for `donation.yml` it is donation.yaml.
 */
function findNearestFile(name: string, known: string[]): string | undefined {
  const stem = (file: string) => file.replace(/\.[^.]*$/, "").toLowerCase();
  const meant =
    findNearest(stem(name), known.map(stem)) ??
    known
      .map(stem)
      .find((each) => each.startsWith(stem(name).slice(0, 4)) && stem(name).length >= 4);
  return known.find((each) => stem(each) === meant);
}
