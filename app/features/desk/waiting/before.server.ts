import { and, inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "../../../../db/database.ts";
import { lockRows } from "../../../../db/rows.ts";
import type { Message } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import { listStoryImages } from "../../stories/readers/moderation.server.ts";
import { type StoryRow, storySubmissions } from "../../stories/schema.server.ts";
import { conditions, type ListName } from "./list.server.ts";
import { idsOf, type SubmissionKind, type SubmissionRef } from "./model.ts";

/** What editors decide about, as it is stored. */
export type Locked = { stories: StoryRow[]; events: EventRow[]; messages: Message[] };

/**
 * Locks the items of `refs` that are still in the list, or all of them without a list. Until the
 * transaction ends, nobody else can decide about them. The others, about which somebody has decided
 * meanwhile, are left out. Returns them in the order of `refs`.
 */
export async function lockItems(
  tx: Database,
  refs: SubmissionRef[],
  list?: ListName,
): Promise<Locked> {
  const isOf = (kind: SubmissionKind, { id }: { id: PgColumn }) =>
    and(inArray(id, idsOf(refs, kind)), list ? conditions[list][kind] : undefined);
  const order = new Map(refs.map(({ id }, index) => [id, index]));
  const sort = <T extends { id: string }>(rows: T[]) =>
    rows.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  return {
    stories: sort(await lockRows(tx, storySubmissions, isOf("story", storySubmissions))),
    events: sort(await lockRows(tx, eventSubmissions, isOf("event", eventSubmissions))),
    messages: sort(await lockRows(tx, contactMessages, isOf("message", contactMessages))),
  };
}

export const toRefs = ({ stories, events, messages }: Locked | Before): SubmissionRef[] => [
  ...stories.map(({ id }) => ({ kind: "story" as const, id })),
  ...events.map(({ id }) => ({ kind: "event" as const, id })),
  ...messages.map(({ id }) => ({ kind: "message" as const, id })),
];

/** The type after storage as JSON: a Date becomes an ISO 8601 string. */
type Stored<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Stored<T[K]> } : T;

/** Everything that a decision changes or deletes, as it was before, so that it can be undone. */
export type Before = {
  stories: Stored<StoryRow & { images: { id: string; alt: string }[] }>[];
  events: Stored<EventRow>[];
  messages: Stored<Pick<Message, "id" | "state" | "doneAt">>[];
  /** The id of the answer that was sent with the decision, if any. */
  answer?: string;
  /** What the editor typed on the page of the only item. */
  typed?: Record<string, string> | undefined;
};

export async function rememberBefore(tx: Database, locked: Locked): Promise<Before> {
  const stories = [];
  for (const story of locked.stories)
    stories.push({ ...story, images: await listStoryImages(tx, story.id) });
  // A decision does not change the texts of messages, and it may concern thousands of them.
  const messages = locked.messages.map(({ id, state, doneAt }) => ({ id, state, doneAt }));
  return JSON.parse(JSON.stringify({ stories, events: locked.events, messages }));
}
