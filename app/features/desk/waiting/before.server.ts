import { and, inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "../../../../db/database.ts";
import { lockRows } from "../../../../db/rows.ts";
import type { Message } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import { listStoryImages } from "../../stories/readers/moderation.server.ts";
import { type StoryRow, storySubmissions } from "../../stories/readers/schema.server.ts";
import { conditions, type ListName } from "./list.server.ts";
import { type ItemRef, idsOf, type Kind } from "./model.ts";

/** What editors decide about, as it is stored. */
export type Locked = { stories: StoryRow[]; events: EventRow[]; messages: Message[] };

/** Locks those of these that still wait, or are in the bin. */
export async function lockItems(tx: Database, list: ListName, refs: ItemRef[]): Promise<Locked> {
  const isOf = (kind: Kind, { id }: { id: PgColumn }) =>
    and(inArray(id, idsOf(refs, kind)), conditions[list][kind]);
  return {
    stories: await lockRows(tx, storySubmissions, isOf("story", storySubmissions)),
    events: await lockRows(tx, eventSubmissions, isOf("event", eventSubmissions)),
    messages: await lockRows(tx, contactMessages, isOf("message", contactMessages)),
  };
}

export const toRefs = ({ stories, events, messages }: Locked | Before): ItemRef[] => [
  ...stories.map(({ id }) => ({ kind: "story" as const, id })),
  ...events.map(({ id }) => ({ kind: "event" as const, id })),
  ...messages.map(({ id }) => ({ kind: "message" as const, id })),
];

/** What a decision changes or deletes. Times are ISO 8601, because this is stored as JSON. */
export type Before = {
  stories: (Pick<
    StoryRow,
    "id" | "title" | "text" | "name" | "email" | "network" | "category" | "slug" | "day" | "typed"
  > & { publishedAt: string | null; images: { id: string; alt: string }[] })[];
  events: (Omit<EventRow, "startsAt" | "endsAt" | "createdAt" | "decidedAt" | "key" | "state"> & {
    startsAt: string;
    endsAt: string;
  })[];
  messages: (Pick<Message, "id" | "state"> & { doneAt: string | null })[];
  /** The answer that the decision sent, if it did. */
  answer?: string;
  /** What the editor typed on the page of the only item. */
  typed?: Record<string, string> | undefined;
};

export async function rememberBefore(
  tx: Database,
  { stories, events, messages }: Locked,
): Promise<Before> {
  const before: Before = { stories: [], events: [], messages: [] };
  for (const story of stories) {
    const { id, title, text, name, email, network, category, slug, day, typed } = story;
    const publishedAt = story.publishedAt?.toISOString() ?? null;
    const images = await listStoryImages(tx, id);
    const texts = { title, text, name, email, network };
    before.stories.push({ id, ...texts, category, slug, day, typed, publishedAt, images });
  }
  for (const {
    createdAt: _received,
    decidedAt: _never,
    key: _key,
    state: _state,
    ...event
  } of events)
    before.events.push({
      ...event,
      startsAt: event.startsAt.toISOString(),
      endsAt: event.endsAt.toISOString(),
    });
  for (const { id, state, doneAt } of messages)
    before.messages.push({ id, state, doneAt: doneAt?.toISOString() ?? null });
  return before;
}
