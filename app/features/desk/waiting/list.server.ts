import { and, asc, inArray, lte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { isAnyOf } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { isIdPrefix } from "../../../lib/newsroom/selection.ts";
import type { Services } from "../../../platform/services.ts";
import type { Topic } from "../../contact/model.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { type EventRow, shortIdLength } from "../../events/submissions.server.ts";
import { storyImages, storySubmissions } from "../../stories/schema.server.ts";
import { describeAction, findLastAction } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import {
  countItems,
  idsOf,
  type ListName,
  listKinds,
  type SubmissionKind,
  type SubmissionRef,
  submissionKinds,
} from "./model.ts";

/** Where the items of each kind are stored. Their columns for the desk have the same names. */
export const tables = {
  story: storySubmissions,
  event: eventSubmissions,
  message: contactMessages,
};

/** Only messages are "done": approved stories and events are in the list of what is published. */
const states = { waiting: "waiting", done: "done", bin: "rejected" };

export const isIn = (list: ListName, kind: SubmissionKind): SQL =>
  sql`${tables[kind].state} = ${states[list]}`;

type ListServices = Pick<Services, "db" | "site">;

export async function countByKind(
  { db, site }: ListServices,
  list: ListName,
): Promise<{ kind: SubmissionKind; count: number }[]> {
  return Promise.all(
    listKinds(site).map(async (kind) => ({
      kind,
      count: await db.$count(tables[kind], isIn(list, kind)),
    })),
  );
}

export const countWaiting = async (services: ListServices): Promise<number> =>
  (await countByKind(services, "waiting")).reduce((sum, { count }) => sum + count, 0);

type Selection = {
  list: ListName;
  /** Null for all kinds. */
  kind: SubmissionKind | null;
  /** Only items that had arrived by this time. */
  until?: Date;
  limit: number;
  offset?: number;
};

/** Lists the selected items: waiting ones newest first, others by the last decision first. */
export async function listRefs(
  { db, site }: ListServices,
  { list, kind, until, limit, offset = 0 }: Selection,
): Promise<SubmissionRef[]> {
  const listed = listKinds(site).filter((each) => kind === null || each === kind);
  const select = (of: SubmissionKind) => {
    const table = tables[of];
    return db
      .select({
        kind: sql<SubmissionKind>`${of}::text`.as("kind"),
        id: sql<string>`${table.id}::text`.as("id"),
        at: sql<Date>`${list === "waiting" ? table.createdAt : table.decidedAt}`.as("at"),
        received: sql<Date>`${table.createdAt}`.as("received"),
      })
      .from(table)
      .where(
        and(
          isIn(list, of),
          listed.includes(of) ? undefined : sql`false`,
          until ? lte(table.createdAt, until) : undefined,
        ),
      );
  };
  const rows = await unionAll(select("story"), select("event"), select("message"))
    .orderBy(sql`at desc, received desc, id desc`)
    .limit(limit)
    .offset(offset);
  return rows.map((row) => ({ kind: row.kind, id: row.id }));
}

export type Submission = SubmissionRef & {
  state: "waiting" | "approved" | "done" | "rejected" | "down" | "draft";
  /** Empty for a message, which has no title. */
  title: string;
  text: string;
  writtenBy: "reader" | "desk";
  category: string;
  name: string;
  email: string;
  visitorHash: string;
  createdAt: Date;
  decidedAt: Date | null;
  images: { id: string; alt: string; width: number; height: number }[];
  event: EventRow | null;
  topic: Topic | null;
  slug: string | null;
  typed: Record<string, string> | null;
};

/** Reads these items, in this order. Those that do not exist are missing. */
export async function readItems(db: Database, refs: SubmissionRef[]): Promise<Submission[]> {
  const byKind: Record<SubmissionKind, Submission[]> = {
    story: await readStories(db, idsOf(refs, "story")),
    event: await readEvents(db, idsOf(refs, "event")),
    message: await readMessages(db, idsOf(refs, "message")),
  };
  const items = new Map(
    submissionKinds.flatMap((kind) => byKind[kind]).map((item) => [item.id, item]),
  );
  return refs.flatMap(({ id }) => items.get(id) ?? []);
}

/** Lists items in these states, oldest first. */
export async function listSubmissions(
  db: Database,
  kind: SubmissionKind,
  wanted: Submission["state"][],
): Promise<Submission[]> {
  const { state } = tables[kind];
  return readItems(db, await selectRefs(db, kind, isAnyOf(state, wanted)));
}

/**
 * Finds the story with this slug or the event with this id. If there is none, finds all items whose
 * short id begins with what an editor typed.
 */
export async function findSubmissions(
  db: Database,
  kind: SubmissionKind,
  typed: string,
): Promise<Submission[]> {
  const { id } = tables[kind];
  const exact = { story: storySubmissions.slug, event: eventSubmissions.id, message: null }[kind];
  const found = exact ? await selectRefs(db, kind, sql`${exact} = ${typed}`) : [];
  if (found.length > 0 || !isIdPrefix(typed)) return readItems(db, found);
  const shortId = kind === "event" ? sql`right(${id}, ${shortIdLength})` : sql`${id}::text`;
  const start = `${typed.toLowerCase()}%`;
  return readItems(db, await selectRefs(db, kind, sql`${shortId} like ${start}`));
}

async function selectRefs(
  db: Database,
  kind: SubmissionKind,
  where: SQL,
): Promise<SubmissionRef[]> {
  const { id, createdAt } = tables[kind];
  const rows = await db
    .select({ id: sql<string>`${id}::text` })
    .from(tables[kind])
    .where(where)
    .orderBy(asc(createdAt));
  return rows.map((row) => ({ kind, id: row.id }));
}

async function readStories(db: Database, ids: string[]): Promise<Submission[]> {
  if (ids.length === 0) return [];
  const rows = await db.select().from(storySubmissions).where(inArray(storySubmissions.id, ids));
  const { id, storyId, alt, width, height, position } = storyImages;
  const images = await db
    .select({ id, storyId, alt, width, height })
    .from(storyImages)
    .where(inArray(storyId, ids))
    .orderBy(asc(position));
  return rows.map((row) => ({
    ...row,
    kind: "story",
    category: row.category ?? "",
    images: images.filter((image) => image.storyId === row.id),
    event: null,
    topic: null,
  }));
}

async function readEvents(db: Database, ids: string[]): Promise<Submission[]> {
  if (ids.length === 0) return [];
  const rows = await db.select().from(eventSubmissions).where(inArray(eventSubmissions.id, ids));
  return rows.map((row) => ({
    ...row,
    kind: "event",
    text: row.description,
    images: [],
    event: row,
    topic: null,
    slug: null,
  }));
}

async function readMessages(db: Database, ids: string[]): Promise<Submission[]> {
  if (ids.length === 0) return [];
  const rows = await db.select().from(contactMessages).where(inArray(contactMessages.id, ids));
  return rows.map(({ message, ...row }) => ({
    ...row,
    kind: "message",
    title: "",
    text: message,
    writtenBy: "reader",
    images: [],
    event: null,
    slug: null,
    typed: null,
  }));
}

const decisions: LogAction[] = ["approved", "rejected", "marked as done", "answered"];

export async function findDecision(
  db: Database,
  timeZone: string,
  { id }: SubmissionRef,
): Promise<string | null> {
  const entry = await findLastAction(db, { items: [id], actions: decisions });
  if (!entry) return null;
  const reason = entry.note && `: “${entry.note.replace(/\.$/, "")}”`;
  return `${entry.editorName} ${describeAction(entry.action, "it")} on ${shortTimestamp(entry.at, timeZone)}${reason}`;
}

/** Says that somebody has decided about items meanwhile. The page of each says who. */
export const explainLate = (late: SubmissionRef[]): string =>
  late.length === 0 ? "" : `Somebody was faster: ${countItems(late)} did not wait any longer.`;
