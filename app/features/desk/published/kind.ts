import type { Database } from "../../../../db/database.ts";
import type { Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { SiteFolder } from "../../../site-files/site-file.server.ts";
import type { listEntries } from "../../stories/live/entries.server.ts";
import type { Editor } from "../files.server.ts";
import type { ItemKind, ItemState, LiveState } from "./model.ts";

/** A story, post or event that is, or was, on the site, as the list shows it. */
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
  isLive?: boolean;
  /** Where it comes from, such as "From a reader" or "news/ferry.md". */
  from: string;
};

/** The same, as its page shows it. */
export type DeskItem = {
  kind: ItemKind;
  id: string;
  /** The id of its row. Null if it is a file, or an event of another calendar. */
  rowId: string | null;
  /** Where it is edited, such as news/ferry.md. Null if it is not a file. */
  file: string | null;
  title: string;
  excerpt: string;
  /** Such as the section, the authors and the date. */
  facts: string[];
  state: ItemState;
  isPinned: boolean;
  /** Whether the file itself pins it, so that the desk cannot unpin it. */
  isPinnedByFile: boolean;
  /** Undefined if it cannot be live: only stories by the newsroom can. */
  live?: LiveState;
  /** The entries of a live story that editors can change one by one, the newest first. */
  entries?: ReturnType<typeof listEntries>;
  /** Null if it cannot have any. */
  corrections: Correction[] | null;
  /** When it was published and updated, as it is written. Null if readers do not see this. */
  dates: { date: string; updated: string | null } | null;
  /** When it is deleted. Null if it stays. */
  deletedAt: Date | null;
};

/** What an item said before a change. */
export type EarlierVersion = { fields: { corrections: Correction[] }; at: Date };

/** An item that nobody else can change until the transaction ends. */
export type LockedItem = {
  setState(state: ItemState): Promise<void>;
  corrections: Correction[];
  /** Returns what the item said before. Null if it is a file. */
  correct?(correction: Correction): Promise<EarlierVersion | null>;
  pin?(isPinned: boolean): Promise<void>;
  setLive?(isLive: boolean): Promise<void>;
  /** Returns false if something else has, or had, that path. */
  rename?(id: string): Promise<boolean>;
};

export type ItemServices = Pick<Services, "db" | "site" | "clock">;

/** What the desk has to know about stories, posts or events. */
export type PublishedKind = {
  /**
   * Everything of this kind, in any order. `words` are those that the editor searches for, and by
   * which a kind with very many items can select some.
   */
  list(services: ItemServices, words: string[]): Promise<PublishedItem[]>;
  find(services: ItemServices, id: string): Promise<DeskItem | null>;
  /** Null if somebody has deleted it. */
  lock(services: ItemServices, tx: Database, item: DeskItem): Promise<LockedItem | null>;
  /** Its files. No row may get the name of one, even if the file has a mistake. */
  folder: SiteFolder<unknown>;
  /** What a stored version says. */
  showVersion(fields: unknown): { title: string; excerpt: string; text: string; facts: string[] };
  /**
   * Makes a stored version the current one, with the corrections since then, because readers have
   * seen them. What is not on the site stays so. Returns why that is not possible.
   */
  restore(
    services: ItemServices & Pick<Services, "runInWorker">,
    rowId: string,
    fields: unknown,
    by: { action: string; editor: Editor },
  ): Promise<string | null>;
};
