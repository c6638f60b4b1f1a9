import { basename } from "node:path";
import { and, eq, inArray } from "drizzle-orm";
import type { Services } from "../../../platform/services.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { communityListings } from "../../community/schema.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { ownSource } from "../../meetings/own-meetings.server.ts";
import { meetings } from "../../meetings/schema.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import { entryPath } from "../entries/model.ts";
import type { Missing } from "../pages/failure-page.tsx";
import { findItem } from "../published/kinds.server.ts";
import { itemKinds, itemPath, toItemKind } from "../published/model.ts";
import { isUuid, submissionPath } from "../waiting/model.ts";
import { draftKinds } from "../write/kinds/kinds.server.ts";
import { draftPath } from "../write/model.ts";
import { deskDrafts } from "../write/schema.server.ts";
import { findLastAction } from "./log.server.ts";

const isNumber = (id: string) => /^\d{1,9}$/.test(id);

type Entry = { kind: string; items: string[] };

/** The path at the desk of what entries of the log are about, by its id, if it still exists. */
export async function findDeskPaths(
  services: Pick<Services, "db" | "site" | "clock">,
  entries: Entry[],
): Promise<Map<string, string>> {
  const { db } = services;
  const named = entries.flatMap(({ kind, items: [id = "", ...others] }) =>
    others.length > 0 ? [] : { kind, id },
  );
  const ids = named.map(({ id }) => id);
  const uuids = ids.filter(isUuid);
  const paths = new Map<string, string>();
  const waits = (state: string) => state === "waiting" || state === "rejected";

  const { id, slug, state } = storySubmissions;
  for (const story of await db
    .select({ id, slug, state })
    .from(storySubmissions)
    .where(inArray(id, uuids)))
    paths.set(
      story.id,
      story.slug === null || waits(story.state)
        ? submissionPath({ kind: "story", id: story.id })
        : itemPath("story", story.slug),
    );
  for (const message of await db
    .select({ id: contactMessages.id })
    .from(contactMessages)
    .where(inArray(contactMessages.id, uuids)))
    paths.set(message.id, submissionPath({ kind: "message", id: message.id }));
  for (const draft of await db
    .select({ id: deskDrafts.id })
    .from(deskDrafts)
    .where(inArray(deskDrafts.id, uuids)))
    paths.set(draft.id, draftPath(draft.id));
  for (const event of await db
    .select({ id: eventSubmissions.id, state: eventSubmissions.state })
    .from(eventSubmissions)
    .where(inArray(eventSubmissions.id, ids)))
    paths.set(
      event.id,
      waits(event.state)
        ? submissionPath({ kind: "event", id: event.id })
        : itemPath("event", event.id),
    );
  for (const post of await db
    .select({ id: blogPosts.id, slug: blogPosts.slug })
    .from(blogPosts)
    .where(inArray(blogPosts.id, ids.filter(isNumber).map(Number))))
    paths.set(String(post.id), itemPath("post", post.slug));
  for (const meeting of await db
    .select({ id: meetings.id })
    .from(meetings)
    .where(and(eq(meetings.source, ownSource), inArray(meetings.id, ids))))
    paths.set(meeting.id, entryPath("meetings", meeting.id));
  for (const listing of await db
    .select({ id: communityListings.id })
    .from(communityListings)
    .where(inArray(communityListings.id, uuids)))
    paths.set(listing.id, entryPath("listings", listing.id));
  // Files, and events of other calendars.
  for (const { kind, id } of named) {
    const itemKind = toItemKind(kind);
    if (!itemKind || paths.has(id)) continue;
    const item = await findItem(services, { kind, id: basename(id, ".md") });
    if (item) paths.set(id, itemPath(itemKind, item.id));
  }
  return paths;
}

/** Says what became of a draft that does not exist. */
export async function describeMissing(
  services: Pick<Services, "db" | "site" | "clock">,
  id: string,
): Promise<Missing> {
  const { db } = services;
  const unknown = { text: "This is no longer here.", place: null };
  if (!isUuid(id)) return unknown;
  const items = await Promise.all(
    itemKinds.map(async (kind) => ({ kind, item: await draftKinds[kind].findItem(db, id) })),
  );
  const found = items.find(({ item }) => item !== null);
  const last = await findLastAction(db, { items: [id, found?.item ?? id] });
  const paths = found?.item
    ? await findDeskPaths(services, [{ kind: found.kind, items: [found.item] }])
    : new Map<string, string>();
  const place = paths.get(found?.item ?? "") ?? null;
  if (last?.action.startsWith("deleted the draft"))
    return { text: `${last.editorName} deleted this draft.`, place };
  return place ? { text: "This draft was published.", place } : unknown;
}
