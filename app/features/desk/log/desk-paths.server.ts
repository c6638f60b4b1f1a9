import { basename } from "node:path";
import { inArray } from "drizzle-orm";
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
import { draftPath } from "../write/model.ts";
import { deskDrafts } from "../write/schema.server.ts";
import { findLastAction } from "./log.server.ts";

type Entry = { kind: string; items: string[] };

/** The path at the desk of what entries of the log are about, by its id, if it still exists. */
export async function findDeskPaths(
  services: DeskServices,
  entries: Entry[],
): Promise<Map<string, string>> {
  const { db } = services;
  const named = entries.flatMap(({ kind, items: [id, ...others] }) =>
    id === undefined || others.length > 0 ? [] : { kind, id },
  );
  // The entry of the log about an undo or a restored item does not say of which kind the item is.
  const sent = named.flatMap(({ kind: named, id }) =>
    submissionKinds.filter((kind) => named === "" || named === kind).map((kind) => ({ kind, id })),
  );
  const paths = new Map<string, string>();
  for (const item of await readItems(db, sent)) paths.set(item.id, pathOf(item));
  const uuids = named.map(({ id }) => id).filter(isUuid);
  for (const { id } of await db
    .select({ id: deskDrafts.id })
    .from(deskDrafts)
    .where(inArray(deskDrafts.id, uuids)))
    paths.set(id, draftPath(id));
  for (const entry of named) {
    const path = paths.has(entry.id) ? null : await findOther(services, entry);
    if (path) paths.set(entry.id, path);
  }
  return paths;
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
async function findOther(services: DeskServices, { kind, id }: { kind: string; id: string }) {
  const { db } = services;
  if (kind === "meeting") return (await findOwnMeeting(db, id)) && entryPath("meetings", id);
  if (kind === "listing") return (await findOwnListing(db, id)) && entryPath("listings", id);
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
  const rowId = found?.rowId ?? "";
  const paths = await findDeskPaths(services, found ? [{ kind: found.kind, items: [rowId] }] : []);
  const place = paths.get(rowId) ?? null;
  if (last?.action.startsWith("deleted the draft"))
    return { text: `${last.editorName} deleted this draft.`, place };
  return place ? { text: "This draft was published.", place } : unknown;
}
