import type { Database } from "../../../../db/database.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { SiteFolder } from "../../../site-files/site-file.server.ts";
import type { FullPost } from "../../blog/model.ts";
import type { EventDetails } from "../../events/listing/describe.server.ts";
import type { EventList } from "../../events/model.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { listEntries } from "../../stories/live/entries.server.ts";
import type { StoryPageContent } from "../../stories/model.ts";
import type { ItemKind, ItemState, LiveState } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import type { DeskServices, WriteDesk, WriteServices } from "../services.ts";
import type { DraftFields } from "../write/model.ts";
import type { Draft } from "../write/schema.server.ts";

/** A story, post or event that is, or was, on the site, as the list shows it. */
export type PublishedItem = {
  kind: ItemKind;
  /** The last part of its path on the site, and of its path at the desk. */
  slug: string;
  title: string;
  /** When it was published or, for an event, when it begins. */
  at: Date;
  /** When an event was published. Null for events of files and of other calendars. */
  announcedAt?: Date | null;
  state: ItemState;
  isPinned?: boolean;
  isLive?: boolean;
  /** Where it comes from, such as "From a reader" or "news/ferry.md". */
  from: string;
};

/** A story, post or event that is, or was, on the site, as its own page at the desk shows it. */
export type DeskItem = {
  kind: ItemKind;
  slug: string;
  /** The id of the item's row. Null if the item is a file, or an event of another calendar. */
  rowId: string | null;
  /** The file in which the item is edited, such as news/ferry.md. Null if it is not a file. */
  file: string | null;
  title: string;
  excerpt: string;
  /** Short facts for the head of the page, such as the section, the authors and the date. */
  facts: string[];
  state: ItemState;
  /** When readers will see a published item that they do not see yet. */
  scheduledFor?: Date | undefined;
  isPinned?: boolean;
  /** Whether the file itself pins the item, so that the desk cannot unpin it. */
  isPinnedByFile?: boolean;
  /** Undefined if the item cannot be live: only stories by the newsroom can. */
  live?: LiveState;
  /** The entries of a live story that editors can change one by one, the newest first. */
  entries?: ReturnType<typeof listEntries>;
  corrections?: Correction[];
  /** The dates of publication and update as text. Undefined if readers do not see them. */
  dates?: { date: string; updated: string | null };
  /** When the item will be deleted. Undefined if it is not deleted automatically. */
  deletedAt?: Date;
};

/** What an item said before a change, since when, and the state of its row. */
type EarlierVersion = { fields: { corrections: Correction[] }; at: Date; state: string };

/** An item that nobody else can change until the transaction ends. */
export type LockedItem = {
  setState(state: ItemState): Promise<void>;
  corrections: Correction[];
  /** Returns what the item said before the correction. Null if the item is a file. */
  correct?(correction: Correction): Promise<EarlierVersion | null>;
  pin?(isPinned: boolean): Promise<void>;
  setLive?(isLive: boolean): Promise<void>;
  /** Returns false if something else has, or had, the new path. */
  rename?(slug: string): Promise<boolean>;
};

/** The result of a publication: the path of the page for readers, or the errors in the fields. */
export type PublishResult =
  | { kind: "published"; path: string }
  | { kind: "refused"; errors: FieldErrors };

/** A draft as readers will see it after its publication. */
export type DraftPreview =
  | { kind: "story"; page: StoryPageContent }
  | { kind: "post"; post: FullPost; timeZone: string }
  | { kind: "event"; event: EventDetails; next: EventList[] };

/** What differs between stories, posts and events at the desk. */
export type DeskKind = {
  /**
   * Lists the items in any order. The caller filters them by `words`, which the editor searches
   * for. A kind with very many items can use them to select only some.
   */
  list(services: DeskServices, words: string[]): Promise<PublishedItem[]>;
  find(services: DeskServices, slug: string): Promise<DeskItem | null>;
  /** Locks a row. Null if somebody has deleted it, or changed its slug. */
  lock(desk: DeskServices, tx: Database, rowId: string, slug: string): Promise<LockedItem | null>;
  /** Files of this kind. A row must not get the name of a file, even of one with a mistake. */
  folder: SiteFolder<unknown>;
  showVersion(fields: unknown): { title: string; excerpt: string; text: string; facts: string[] };
  /**
   * Makes a stored version the current one. Later corrections stay, because readers have seen
   * them, and an item that is not on the site stays off it. Returns an error message or null.
   */
  restore(
    desk: WriteDesk,
    rowId: string,
    fields: unknown,
    action: LogAction,
  ): Promise<string | null>;

  /**
   * Locks a published item, and returns what it says as the fields of a draft. All drafts of an item
   * have the same id, so that a form that is sent after its draft was published finds the item.
   */
  lockAsDraft(
    services: DeskServices,
    tx: Database,
    rowId: string,
  ): Promise<{ id: string; fields: DraftFields } | null>;
  /** Finds the row of the item whose drafts have this id, also if it is no longer approved. */
  findOfDraft(db: Database, draftId: string): Promise<string | null>;
  /** Returns false for an item that was taken down, is a draft again, or is only scheduled. */
  isOnSite(services: DeskServices, rowId: string): Promise<boolean>;
  findObstacles(services: WriteServices, draft: Draft): Promise<FieldErrors>;
  /**
   * Does the slow work of a publication, such as rendering. The function that it returns only
   * writes, so that the transaction in which it is called stays short.
   */
  prepare(
    desk: WriteDesk,
    draft: Draft,
    at: Date,
  ): Promise<(tx: Database, rowId: string | null) => Promise<PublishResult>>;
  preview(
    services: PageServices & Pick<Services, "runInWorker">,
    draft: Draft,
  ): Promise<DraftPreview>;
};
