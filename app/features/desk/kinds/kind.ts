import type { Database } from "../../../../db/database.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import type { SiteFolder } from "../../../site-files/site-file.server.ts";
import type { BlogDetails } from "../../blog/model.ts";
import type { EventDetails } from "../../events/listing/describe.server.ts";
import type { EventList } from "../../events/model.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import type { listEntries } from "../../stories/live/entries.server.ts";
import type { StoryPageContent } from "../../stories/model.ts";
import type { Editor } from "../files.server.ts";
import type { ItemKind, ItemState, LiveState } from "../published/model.ts";
import type { DraftFields } from "../write/model.ts";
import type { Draft } from "../write/schema.server.ts";

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
  isPinned?: boolean;
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
  isPinned?: boolean;
  /** Whether the file itself pins it, so that the desk cannot unpin it. */
  isPinnedByFile?: boolean;
  /** Undefined if it cannot be live: only stories by the newsroom can. */
  live?: LiveState;
  /** The entries of a live story that editors can change one by one, the newest first. */
  entries?: ReturnType<typeof listEntries>;
  corrections?: Correction[];
  /** When it was published and updated, as it is written. Undefined if readers do not see this. */
  dates?: { date: string; updated: string | null };
  /** When it is deleted. Undefined if it stays. */
  deletedAt?: Date;
};

/** What an item said before a change. */
type EarlierVersion = { fields: { corrections: Correction[] }; at: Date };

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
export type KindServices = ItemServices & Pick<Services, "runInWorker">;
/** The same, with the editor who asks. */
export type Desk = ItemServices & { editor: Editor };
export type WriteDesk = KindServices & { editor: Editor };

/** The path at which readers find what was published, or why it was not published. */
export type Written =
  | { kind: "published"; path: string }
  | { kind: "refused"; errors: FieldErrors };

/** What the page shows that readers will see. */
export type DraftPreview =
  | { kind: "story"; page: StoryPageContent }
  | { kind: "post"; post: BlogDetails; timeZone: string }
  | { kind: "event"; event: EventDetails; next: EventList[] };

/** What the desk has to know about stories, posts or events. */
export type DeskKind = {
  /** `words` are those that the editor searches for. A kind with many items selects by them. */
  list(services: ItemServices, words: string[]): Promise<PublishedItem[]>;
  find(services: ItemServices, id: string): Promise<DeskItem | null>;
  /** Locks a row. Null if somebody has deleted it, or changed its path from `id`. */
  lock(services: ItemServices, tx: Database, rowId: string, id: string): Promise<LockedItem | null>;
  /** Its files. No row may get the name of one, even if the file has a mistake. */
  folder: SiteFolder<unknown>;
  showVersion(fields: unknown): { title: string; excerpt: string; text: string; facts: string[] };
  /** Returns why it is not possible. Corrections stay, because readers have seen them. */
  restore(desk: WriteDesk, rowId: string, fields: unknown, action: string): Promise<string | null>;

  // Drafts.
  /** Locks an item. All drafts of it have one id, so that a form that is sent late finds the item. */
  lockAsDraft(
    services: ItemServices,
    tx: Database,
    item: string,
  ): Promise<{ id: string; fields: DraftFields } | null>;
  /** The published item whose drafts have this id. */
  findOfDraft(db: Database, draftId: string): Promise<string | null>;
  /** Whether readers see a published item now. It may have been taken down. */
  isOnSite(services: ItemServices, item: string): Promise<boolean>;
  findMissing(services: KindServices, draft: Draft): Promise<FieldErrors>;
  /** Prepares a publication. The result writes it, and waits for nothing but the transaction. */
  prepare(
    desk: WriteDesk,
    draft: Draft,
    at: Date,
  ): Promise<(tx: Database, item: string | null) => Promise<Written>>;
  preview(
    services: PageServices & Pick<Services, "runInWorker">,
    draft: Draft,
  ): Promise<DraftPreview>;
};
