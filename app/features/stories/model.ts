import type { Image } from "../../lib/site/site-fields.server.ts";

/** What a card shows of a story; the date is written out on the server. */
export type NewsItem = {
  id: string;
  title: string;
  excerpt: string;
  category: string;
  date: string;
  image: Image;
  /** Shows how stories look here and is not current news. */
  isSample: boolean;
};

/** Two lines of a card hold a title of this length at every width (see cards.css). */
export const maxCardTitleLength = 60;

export type Story = NewsItem & {
  html: string;
  /** The day in ISO form, for machines. */
  published: string;
  /** Of a story that a reader sent: the name to print, empty for none. Null for the desk's own. */
  byline: { name: string } | null;
  moreImages: Image[];
};
