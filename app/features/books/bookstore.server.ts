import type { Books } from "./files.server.ts";

export type BookCard = { id: string; title: string; detail: string; link: string };

/** Links to the author and to each book in the bookstore. */
export function bookstoreLinks({ author, affiliateTag, books }: Books): {
  authorLink: string;
  cards: BookCard[];
} {
  const searchUrl = (words: string) => {
    const query = new URLSearchParams({
      k: words,
      // Amazon's name for its department of books.
      i: "stripbooks",
      ...(affiliateTag ? { tag: affiliateTag } : {}),
    });
    return `https://www.amazon.com/s?${query}`;
  };
  return {
    authorLink: searchUrl(author),
    cards: books.map(({ id, title, year, kind }) => ({
      id,
      title,
      detail: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}, ${year}`,
      link: searchUrl(`${title} ${author}`),
    })),
  };
}
