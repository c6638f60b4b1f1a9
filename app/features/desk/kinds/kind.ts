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
export type DeskItem = Omit<PublishedItem, "at" | "announcedAt" | "from"> & {
  /** The id of the item's row. Null if the item is a file, or an event of another calendar. */
  rowId: string | null;
  /** The file in which the item is edited, such as news/ferry.md. Null if it is not a file. */
  file: string | null;
  excerpt: string;
  /** Short facts for the head of the page, such as the section, the authors and the date. */
  facts: string[];
  /** When readers will see a published item that they do not see yet. */
  scheduledFor?: Date | undefined;
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

/** What an item says, since when, and whether readers see it. */
export type ItemContent = { fields: DraftFields; at: Date; state: ItemState };

/** What editors can change of an item without writing it again. */
export type ItemChanges = {
  setState(state: ItemState): Promise<void>;
  correct?(corrections: Correction[]): Promise<void>;
  pin?(isPinned: boolean): Promise<void>;
  setLive?(isLive: boolean): Promise<void>;
  /** Returns false if something else has, or had, the new path. */
  rename?(slug: string): Promise<boolean>;
};

/** An item with a row that nobody else can change until the transaction ends. */
export type LockedItem = ItemContent &
  ItemChanges & {
    slug: string;
    /**
     * Returns the id of all drafts of the item, so that a form that is sent after its draft was
     * published finds the item.
     */
    nameDraft(): Promise<string>;
  };

/** The result of a publication: the path of the page for readers, or the errors in the fields. */
export type PublishResult =
  | { kind: "published"; path: string }
  | { kind: "refused"; errors: FieldErrors };

/**
 * Publishes an item. `rowId` is null for a new one. With a `state`, an item that is not on the site
 * stays off it; without, it returns to the site.
 */
export type Publish = (
  tx: Database,
  item: { rowId: string | null; fields: DraftFields; state?: ItemState; action?: LogAction },
) => Promise<PublishResult>;

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
  /** Null if somebody has deleted the item, or if it waits for a decision or was rejected. */
  lock(services: DeskServices, tx: Database, rowId: string): Promise<LockedItem | null>;
  /** Files of this kind. A row must not get the name of a file, even of one with a mistake. */
  folder: SiteFolder<unknown>;
  /** Finds the row of the item whose drafts have this id, also if it is no longer approved. */
  findOfDraft(db: Database, draftId: string): Promise<string | null>;
  /** Returns false for an item that was taken down, is a draft again, or is only scheduled. */
  isOnSite(services: DeskServices, rowId: string): Promise<boolean>;
  findObstacles(services: WriteServices, draft: Draft): Promise<FieldErrors>;
  /**
   * Does the slow work of a publication, such as rendering. The function that it returns only
   * writes, so that the transaction in which it is called stays short. The text that it gets is the
   * draft's.
   */
  prepare(desk: WriteDesk, draft: Pick<Draft, "id" | "fields">, at: Date): Promise<Publish>;
  preview(
    services: PageServices & Pick<Services, "runInWorker">,
    draft: Draft,
  ): Promise<DraftPreview>;
};
