import type { Books } from "./files.server.ts";

export type BookCard = { id: string; title: string; detail: string; link: string };

/** What the page shows of the file: each book with the way to it in the bookstore. */
export function bookstoreLinks({ author, affiliateTag, books }: Books): {
  authorLink: string;
  cards: BookCard[];
} {
  const search = (words: string) => {
    const query = new URLSearchParams({
      k: words,
      i: "stripbooks",
      ...(affiliateTag ? { tag: affiliateTag } : {}),
    });
    return `https://www.amazon.com/s?${query}`;
  };
  return {
    authorLink: search(author),
    cards: books.map(({ id, title, year, kind }) => ({
      id,
      title,
      detail: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}, ${year}`,
      link: search(`${title} ${author}`),
    })),
  };
}
