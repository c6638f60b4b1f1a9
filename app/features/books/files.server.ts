import { z } from "zod";
import { text, typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

export const booksFile = siteFile(
  "books.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    intro: text,
    author: text,
    /**
     * Links to the bookstore contain this tag, so that the city earns a commission. The page
     * discloses this.
     */
    affiliateTag: typedText.optional(),
    banner: z.strictObject({
      name: text,
      text,
      apply: webUrl,
      learn: webUrl,
    }),
    books: z
      .array(
        z.strictObject({
          id: z.string().regex(/^[a-z0-9-]+$/, "must be lowercase letters, digits and hyphens"),
          title: text,
          year: z.int(),
          kind: z.enum(["poem", "tale", "novel", "essay", "collection"]),
        }),
      )
      .min(1),
  }),
);

export type Books = ValueOf<typeof booksFile>;

export type BookCard = { id: string; title: string; detail: string; link: string };

export function bookstoreLinks({ author, affiliateTag, books }: Books) {
  const searchUrl = (words: string) => {
    const query = new URLSearchParams({
      k: words,
      // "stripbooks" is Amazon's name for its books department.
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
