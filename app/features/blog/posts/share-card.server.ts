import type { ShareCard } from "../../../platform/share-card.ts";

/** What the share image of a post shows. `image` is the path of its image on our own server. */
export const toShareCard = (post: {
  title: string;
  date: string | null;
  image: string | null;
}): ShareCard => ({
  label: "Blog",
  title: post.title,
  lines: post.date === null ? [] : [post.date],
  image: post.image === null ? null : { path: post.image, alt: "" },
  mark: null,
  dateTile: null,
});
