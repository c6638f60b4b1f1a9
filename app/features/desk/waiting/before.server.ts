import { and, inArray } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { lockRows } from "../../../../db/rows.ts";
import type { Message } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import { listStoryImages } from "../../stories/readers/moderation.server.ts";
import { type StoryRow, storySubmissions } from "../../stories/schema.server.ts";
import { isIn, tables } from "./list.server.ts";
import { idsOf, type ListName, type SubmissionKind, type SubmissionRef } from "./model.ts";

/** What editors decide about, as it is stored. */
export type Locked =
  | ({ kind: "story" } & StoryRow)
  | ({ kind: "event" } & EventRow)
  | ({ kind: "message" } & Message);

export const ofKind = <Item extends { kind: SubmissionKind }, Kind extends SubmissionKind>(
  items: Item[],
  kind: Kind,
) => items.filter((item): item is Extract<Item, { kind: Kind }> => item.kind === kind);

/**
 * Locks the items of `refs` that are still in the list, or all of them without a list. Until the
 * transaction ends, nobody else can decide about them. The others, about which somebody has decided
 * meanwhile, are left out. Returns them in the order of `refs`.
 */
export async function lockItems(
  tx: Database,
  refs: SubmissionRef[],
  list?: ListName,
): Promise<Locked[]> {
  const isOf = (kind: SubmissionKind) =>
    and(inArray(tables[kind].id, idsOf(refs, kind)), list && isIn(list, kind));
  const stories = await lockRows(tx, storySubmissions, isOf("story"));
  const events = await lockRows(tx, eventSubmissions, isOf("event"));
  const messages = await lockRows(tx, contactMessages, isOf("message"));
  const order = new Map(refs.map(({ id }, index) => [id, index]));
  return [
    ...stories.map((row) => ({ kind: "story" as const, ...row })),
    ...events.map((row) => ({ kind: "event" as const, ...row })),
    ...messages.map((row) => ({ kind: "message" as const, ...row })),
  ].toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}

/** The type after storage as JSON: a Date becomes an ISO 8601 string. */
type Stored<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Stored<T[K]> } : T;

/** Everything that a decision changes or deletes, as it was before, so that it can be undone. */
export type Before = {
  items: Stored<
    | ({ kind: "story"; images: { id: string; alt: string }[] } & StoryRow)
    | ({ kind: "event" } & EventRow)
    | ({ kind: "message" } & Pick<Message, "id" | "state" | "decidedAt">)
  >[];
  /** The id of the answer that was sent with the decision, if any. */
  answer?: string;
  /** What the editor typed on the page of the only item. */
  typed?: Record<string, string> | undefined;
};

export async function rememberBefore(tx: Database, items: Locked[]): Promise<Before["items"]> {
  const before = [];
  for (const item of items) {
    const { kind, id, state, decidedAt } = item;
    if (kind === "story") before.push({ ...item, images: await listStoryImages(tx, id) });
    else if (kind === "event") before.push(item);
    // A decision does not change the texts of messages, and it may concern thousands of them.
    else before.push({ kind, id, state, decidedAt });
  }
  return JSON.parse(JSON.stringify(before));
}
