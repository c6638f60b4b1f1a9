import type { Services } from "../../../platform/services.ts";
import type { ItemKind, ItemState } from "./model.ts";

/** A story, post or event that is, or was, on the site. */
export type PublishedItem = {
  kind: ItemKind;
  /** The last part of its path on the site, and of its path at the desk. */
  id: string;
  title: string;
  /** When it was published or, for an event, when it begins. */
  at: Date;
  /** When an event was published. Null if nobody knows, because it is a file. */
  announcedAt?: Date | null;
  state: ItemState;
  isPinned: boolean;
  /** Where it comes from, such as "From a reader" or "news/ferry.md". */
  from: string;
};

export type ItemSource = {
  kind: ItemKind;
  /**
   * Everything of this kind, in any order. `words` are those that the editor searches for, and by
   * which a source with very many items can select some.
   */
  list(
    services: Pick<Services, "db" | "site" | "clock">,
    words: string[],
  ): Promise<PublishedItem[]>;
};
