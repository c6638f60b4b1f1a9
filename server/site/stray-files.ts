import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { artFileName } from "../../app/lib/images/art.ts";
import { isDrawing } from "../../app/lib/images/photos.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";
import { explainImageName } from "../../app/site-files/image-names.server.ts";
import type { SiteSource } from "../../app/site-files/site-file.server.ts";

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

/** `usedMedia` contains the photos that the site files name. */
export async function findStrays(
  folder: string,
  sources: SiteSource[],
  usedMedia: ReadonlySet<string>,
): Promise<StrayFile[]> {
  const files = sources.flatMap((source) =>
    "path" in source && !source.path.includes("/") ? [source.path] : [],
  );
  const folders = sources.flatMap((source) => ("folder" in source ? [source.folder] : []));
  const known = [...files, ...folders, ...mediaFolders];
  const topLevelStrays = (await listEntries(folder)).flatMap(({ name, isFolder }): StrayFile[] => {
    if (known.includes(name)) return [];
    const meant = findNearestFile(name, isFolder ? [...folders, ...mediaFolders] : files);
    const hint = meant === undefined ? "" : `. Did you mean \`${meant}\`?`;
    const message = `the site does not use this ${isFolder ? "folder" : "file"}${hint}`;
    return [{ file: name, message, isMistake: meant !== undefined }];
  });
  const inFolders = await Promise.all(folders.map((name) => findStraysIn(folder, name, usedMedia)));
  return [...topLevelStrays, ...inFolders.flat()];
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
    if (artFileName.test(entry.name) && !isDrawing(entry.name))
      return usedMedia.has(file)
        ? []
        : stray(`no file in ${name}/ names this photo, so readers do not get it`, false);
    const reason = explainImageName(entry.name);
    return stray(
      reason === null
        ? `the site does not use this file: only .md files and photos belong in ${name}/`
        : `the file ${reason}`,
    );
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
 * `donation.yml` it is donation.yaml.
 */
function findNearestFile(name: string, known: string[]): string | undefined {
  const stem = (file: string) => file.replace(/\.[^.]*$/, "").toLowerCase();
  const meant = findNearest(stem(name), known.map(stem));
  return known.find((each) => stem(each) === meant);
}
