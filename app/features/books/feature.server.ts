import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import { booksFile, bookstoreLinks } from "./files.server.ts";

/** A book without its own cover shows the placeholder, so the placeholder must exist. */
const checkCovers: Check = async ({ read, siteFolder }) => {
  const items = read(booksFile)?.books ?? [];
  const covers = await readdir(join(siteFolder, "covers")).catch((): string[] => []);
  if (covers.includes("placeholder.svg") || items.every(({ id }) => covers.includes(`${id}.svg`)))
    return [];
  const message = "need covers/placeholder.svg, because some books have no cover";
  return [{ file: booksFile.path, at: ["books"], field: "books", message }];
};

export const books: Feature = {
  name: "books",
  part: "books",
  files: [booksFile],
  checks: [checkCovers],
  pages(site) {
    const { title, description, intro, author } = site.read(booksFile);
    return { "/books": { title, summary: description, body: `${intro} ${author}` } };
  },
  documents: {
    async list({ site }) {
      const file = site.read(booksFile);
      return bookstoreLinks(file).cards.map(({ id, title, detail }) => ({
        id: `book:${id}`,
        kind: "book",
        link: `/books#${id}`,
        title,
        detail: `${detail} · ${file.author}`,
      }));
    },
  },
};
