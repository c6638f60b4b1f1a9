import type { ShareCard } from "../../../platform/share-card.ts";

/** What the share image of a post shows. */
export const toShareCard = (post: {
  title: string;
  date: string | null;
  image: ShareCard["image"];
}): ShareCard => ({
  label: "Blog",
  title: post.title,
  lines: post.date === null ? [] : [post.date],
  image: post.image,
  mark: null,
  dateTile: null,
});
