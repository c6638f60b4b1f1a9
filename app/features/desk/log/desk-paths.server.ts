import { basename } from "node:path";
import { isUuid } from "../../../lib/is-uuid.ts";
import { findPostRow } from "../../blog/publish/desk-posts.server.ts";
import { findOwnListing } from "../../community/own-listings.server.ts";
import { findOwnMeeting } from "../../events/meetings/own-meetings.server.ts";
import { entryPath } from "../entries/model.ts";
import { deskKinds, findItem } from "../kinds/kinds.server.ts";
import { isPostId } from "../kinds/post.server.ts";
import type { Missing } from "../pages/failure-page.tsx";
import { itemKinds, itemPath, toItemKind } from "../published/model.ts";
import type { DeskServices } from "../services.ts";
import { readItems, type Submission } from "../waiting/list.server.ts";
import { submissionKinds, submissionPath } from "../waiting/model.ts";
import { findDraft } from "../write/drafts.server.ts";
import { draftPath } from "../write/model.ts";
import { findLastAction } from "./log.server.ts";

type Subject = { kind: string; id: string };

/** The path at the desk of what an entry of the log is about, if it still exists. */
export async function findDeskPath(
  services: DeskServices,
  { kind, id }: Subject,
): Promise<string | null> {
  const { db } = services;
  if (await findDraft(db, id)) return draftPath(id);
  // The entry of the log about an undo or a restored item does not say of which kind the item is.
  const kinds = submissionKinds.filter((each) => kind === "" || kind === each);
  const [sent] = await readItems(
    db,
    kinds.map((each) => ({ kind: each, id })),
  );
  return sent ? pathOf(sent) : findOther(services, { kind, id });
}

/**
 * Items that wait or were rejected have a page among the submissions, also stories that never got
 * a slug, and messages. Everything else has a page among the published items.
 */
function pathOf({ kind, id, slug, state }: Submission): string {
  const isSubmission =
    kind === "message" ||
    (kind === "story" && slug === null) ||
    state === "waiting" ||
    state === "rejected";
  return isSubmission ? submissionPath({ kind, id }) : itemPath(kind, slug ?? id);
}

/** Finds the path of what is neither a submission nor a draft, such as a meeting, post or file. */
async function findOther(services: DeskServices, { kind, id }: Subject): Promise<string | null> {
  const { db } = services;
  if (kind === "meeting") return (await findOwnMeeting(db, id)) ? entryPath("meetings", id) : null;
  if (kind === "listing") return (await findOwnListing(db, id)) ? entryPath("listings", id) : null;
  const itemKind = toItemKind(kind);
  if (!itemKind) return null;
  const post = kind === "post" && isPostId(id) ? await findPostRow(db, Number(id)) : null;
  const item = await findItem(services, { kind, id: post?.slug ?? basename(id, ".md") });
  return item && itemPath(itemKind, item.slug);
}

export async function describeMissing(services: DeskServices, id: string): Promise<Missing> {
  const { db } = services;
  const unknown = { text: "This is no longer here.", place: null };
  if (!isUuid(id)) return unknown;
  const items = await Promise.all(
    itemKinds.map(async (kind) => ({ kind, rowId: await deskKinds[kind].findOfDraft(db, id) })),
  );
  const found = items.find(({ rowId }) => rowId !== null);
  const last = await findLastAction(db, { items: [id, found?.rowId ?? id] });
  const place = found?.rowId ? await findDeskPath(services, { ...found, id: found.rowId }) : null;
  if (last?.action.startsWith("deleted the draft"))
    return { text: `${last.editorName} deleted this draft.`, place };
  return place ? { text: "This draft was published.", place } : unknown;
}
