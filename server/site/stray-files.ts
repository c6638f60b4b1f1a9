import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { renameAdvice, type SiteSource } from "../../app/lib/site/site-file.server.ts";
import { findNearest } from "../../app/lib/text/nearest.ts";

/**
 * A file in the city folder that nothing reads. It is a mistake if the editor probably expects that
 * the site uses it.
 */
type Stray = { file: string; message: string; isMistake: boolean };

/** Folders with images, videos, documents and sound. Their files have no fixed names. */
const mediaFolders = ["art", "covers", "documents", "film", "radio"];

/** Whether a file belongs to the operating system or to a text editor. */
export const isHidden = (name: string) =>
  /^[.#~]|~$|\.(tmp|swp|swx|bak|part|orig)$|^(Thumbs\.db|desktop\.ini)$/i.test(name);

export async function findStrays(folder: string, sources: SiteSource[]): Promise<Stray[]> {
  const files = sources.flatMap((source) =>
    "path" in source && !source.path.includes("/") ? [source.path] : [],
  );
  const folders = sources.flatMap((source) => ("folder" in source ? [source.folder] : []));
  const known = [...files, ...folders, ...mediaFolders];
  const atTop = (await list(folder)).flatMap(({ name, isFolder }): Stray[] => {
    if (known.includes(name)) return [];
    const meant = nearestFile(name, isFolder ? [...folders, ...mediaFolders] : files);
    const hint = meant === undefined ? "" : `. Did you mean \`${meant}\`?`;
    const message = `the site does not use this ${isFolder ? "folder" : "file"}${hint}`;
    return [{ file: name, message, isMistake: meant !== undefined }];
  });
  const inFolders = await Promise.all(folders.map((name) => findStraysIn(folder, name)));
  return [...atTop, ...inFolders.flat()];
}

async function findStraysIn(folder: string, name: string): Promise<Stray[]> {
  return (await list(join(folder, name))).flatMap((entry): Stray[] => {
    const stray = (message: string) => [
      { file: `${name}/${entry.name}`, message, isMistake: true },
    ];
    if (entry.isFolder)
      return stray(`the site does not read this folder: move its files to ${name}/`);
    if (entry.name.endsWith(".md")) return [];
    return /\.(md|markdown|mdown|mkd|txt)$/i.test(entry.name)
      ? stray(`the site does not use this file: ${renameAdvice(entry.name)}`)
      : stray(`the site does not use this file: only .md files belong in ${name}/`);
  });
}

async function list(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !isHidden(name))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/**
 * `donate.yaml` and `donation.yml` are both close to donation.yaml: the name counts more than the
 * extension.
 */
function nearestFile(name: string, known: string[]): string | undefined {
  const stem = (file: string) => file.replace(/\.[^.]*$/, "").toLowerCase();
  const meant =
    findNearest(stem(name), known.map(stem)) ??
    known
      .map(stem)
      .find((each) => each.startsWith(stem(name).slice(0, 4)) && stem(name).length >= 4);
  return known.find((each) => stem(each) === meant);
}
