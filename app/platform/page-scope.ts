import type { PageTags } from "./tags.ts";

/** What features can tell the server about the page that is being rendered. */
export type PageScope = {
  /**
   * The tags of the data that the page shows. When the data changes, the page is rendered again.
   */
  tags: PageTags;
  /**
   * Sets the time until which the page is valid, such as midnight for a page that says "today".
   * After that, the page is rendered again before it is shown.
   */
  expireAt(instant: Date): void;
};
