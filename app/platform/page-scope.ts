import type { PageTags } from "./tags.ts";

/** The page that is being rendered, as far as features know about it. */
export type PageScope = {
  /** What the page is made of: when it changes, the page is rendered again. */
  tags: PageTags;
  /**
   * The page is valid until then, such as one that says "today"; after that it is rendered again
   * before it is shown.
   */
  expireAt(instant: Date): void;
};
