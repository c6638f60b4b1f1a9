import type { Database } from "../../../../../db/database.ts";
import type { PageServices, Services } from "../../../../platform/services.ts";
import type { BlogDetails } from "../../../blog/model.ts";
import type { EventDetails } from "../../../events/listing/describe.server.ts";
import type { EventList } from "../../../events/model.ts";
import type { StoryPageContent } from "../../../stories/model.ts";
import type { Editor } from "../../files.server.ts";
import type { DraftFields } from "../model.ts";
import type { Draft } from "../schema.server.ts";

/** Messages by field, in the form's order. */
export type FieldErrors = Record<string, string>;

/** The path at which readers find what was published, or why it was not published. */
export type Written =
  | { kind: "published"; path: string }
  | { kind: "refused"; errors: FieldErrors };

/** What the page shows that readers will see. */
export type DraftPreview =
  | { kind: "story"; page: StoryPageContent }
  | { kind: "post"; post: BlogDetails; timeZone: string }
  | { kind: "event"; event: EventDetails; next: EventList[] };

/** What differs between the drafts of stories, posts and events. */
export type DraftKind = {
  /**
   * What a published item says now, as an editor types it. All drafts of an item have the same id,
   * so that a form that is sent after its draft was published still finds the item.
   */
  open(
    services: Pick<Services, "site">,
    tx: Database,
    item: string,
  ): Promise<{ id: string; fields: DraftFields } | null>;
  /** The published item whose drafts have this id. */
  findItem(db: Database, draftId: string): Promise<string | null>;
  /** Whether readers see a published item now. It may have been taken down. */
  isOnSite(services: Pick<Services, "db" | "clock">, item: string): Promise<boolean>;
  /** What is missing before the draft can be published. */
  findMissing(
    services: Pick<Services, "db" | "clock" | "site" | "runInWorker">,
    draft: Draft,
  ): Promise<FieldErrors>;
  /** Prepares a publication. The result writes it, and waits for nothing but the transaction. */
  prepare(
    services: Pick<Services, "db" | "clock" | "site" | "runInWorker">,
    draft: Draft,
    at: Date,
    editor: Editor,
  ): Promise<(tx: Database, item: string | null) => Promise<Written>>;
  preview(
    services: PageServices & Pick<Services, "runInWorker">,
    draft: Draft,
  ): Promise<DraftPreview>;
};
