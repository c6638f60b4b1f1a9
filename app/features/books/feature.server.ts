import type { Feature } from "../../platform/feature.ts";
import { booksFile, bookstoreLinks } from "./files.server.ts";

export const books: Feature = {
  name: "books",
  part: "books",
  files: [booksFile],
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
