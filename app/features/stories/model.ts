import type { Image } from "../../lib/site/site-fields.server.ts";

/** The fields of a story that a card shows. The server formats the date. */
export type StoryCard = {
  id: string;
  title: string;
  excerpt: string;
  category: string;
  date: string;
  image: Image;
  /** True for a story that only shows how stories look on this site and is not current news. */
  isSample: boolean;
};

/** Two lines of a card hold a title of this length at every width (see cards.css). */
export const maxCardTitleLength = 60;

export type Story = StoryCard & {
  html: string;
  /** The day in ISO form, for machines. */
  published: string;
  /**
   * The reader who sent the story; `name` is empty if the reader gave none. Null for a story by the
   * newsroom.
   */
  byline: { name: string } | null;
  moreImages: Image[];
};
