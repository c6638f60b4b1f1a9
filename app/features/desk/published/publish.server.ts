import { and, desc, eq, notExists, or, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import type { Services } from "../../../platform/services.ts";
import {
  readPostFields,
  type WrittenPost,
  writePost,
} from "../../blog/publish/desk-posts.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  checkEvent,
  type EventFields,
  readEventFields,
  writeEvent,
} from "../../events/desk-events.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import type { FieldErrors } from "../../forms/receive.server.ts";
import { readFields, type WrittenStory, writeStory } from "../../stories/desk/rows.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { ItemKind } from "./model.ts";
import { deskVersions } from "./schema.server.ts";

// Each function publishes something of the desk, with its version and its line in the log. `row` is
// the locked row of what changes, or null for something new. Without a `state`, what was taken down
// or is a draft again is on the site again.

type By = { editor: Editor };

const chooseAction = ({ row }: { row: object | null }) => (row ? "updated" : "published");

/** `note` is what the log says about the change, such as the time of an entry. */
type Recorded = Change & { title: string; note?: string };

async function record(tx: Database, item: Item, { title, note = "", ...change }: Recorded) {
  await writeVersion(tx, item, change);
  const { action, at, editor } = change;
  await writeLog(tx, () => at, editor, { action, kind: item.kind, items: [item.id], title, note });
}

export async function publishStory(
  services: Pick<Services, "site">,
  tx: Database,
  { editor, note, ...written }: WrittenStory & By & Pick<Recorded, "note">,
  action = chooseAction(written),
): Promise<{ id: string; slug: string }> {
  const { row, fields, at } = written;
  const { title } = fields;
  const before = row && {
    fields: await readFields(tx, row),
    at: row.updatedAt ?? row.publishedAt ?? at,
  };
  const story = await writeStory(services, tx, written);
  const item = { kind: "story", id: story.id } as const;
  await record(tx, item, { title, note, fields, before, action, at, editor });
  return story;
}

export async function publishPost(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { editor, ...written }: WrittenPost & By,
  action = chooseAction(written),
): Promise<{ id: number; slug: string }> {
  const { row, fields } = written;
  const { title } = fields;
  const before = row && { fields: readPostFields(row), at: row.publishAt };
  const post = await writePost(services, tx, written);
  const item = { kind: "post", id: String(post.id) } as const;
  await record(tx, item, { title, fields, before, action, at: services.clock(), editor });
  return post;
}

type WrittenEvent = {
  row: EventRow | null;
  /** The id of the drafts of a new event. */
  draftId?: string;
  fields: EventFields;
  state?: EventRow["state"];
};

/** Says which fields are wrong if it cannot publish the event. */
export async function publishEvent(
  services: Pick<Services, "site" | "clock">,
  tx: Database,
  { row, draftId, fields, state, editor }: WrittenEvent & By,
  action = chooseAction({ row }),
): Promise<{ kind: "published"; id: string } | { kind: "refused"; errors: FieldErrors }> {
  const checked = checkEvent(services, fields, row);
  if (checked.kind === "refused") return checked;
  const { site, clock } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const before = row && {
    fields: readEventFields(row, timeZone),
    at: row.decidedAt ?? row.createdAt,
  };
  const { id } = await writeEvent(services, tx, row, checked.values, { draftId, state });
  const { title } = checked.values;
  await record(tx, { kind: "event", id }, { title, fields, before, action, at: clock(), editor });
  return { kind: "published", id };
}

type Item = { kind: ItemKind; id: string };

type Change = {
  /** What the item says now: everything that an editor can change. */
  fields: unknown;
  /** What it said before. This is stored as the first version of an item without versions. */
  before: { fields: unknown; at: Date } | null;
  /** Such as "corrected". */
  action: string;
  at: Date;
  editor: Editor;
};

type Version = typeof deskVersions.$inferSelect;

/** Stores what an item says after a change, in the transaction of the change. */
export async function writeVersion(
  tx: Database,
  { kind, id: item }: Item,
  { fields, before, action, at, editor }: Change,
): Promise<void> {
  const [last] = await tx
    .select({ number: deskVersions.number })
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.item, item)))
    .orderBy(desc(deskVersions.number))
    .limit(1);
  let number = last?.number ?? 0;
  const insert = (version: Omit<Version, "kind" | "item" | "number">) => {
    number += 1;
    return tx.insert(deskVersions).values({ ...version, kind, item, number });
  };
  if (before && !last) await insert({ ...before, action: "published", editor: "", editorName: "" });
  await insert({ fields, action, at, editor: editor.email, editorName: editor.name });
}

/** The versions of an item, newest first. */
export const listVersions = (db: Database, { kind, id }: Item): Promise<Version[]> =>
  db
    .select()
    .from(deskVersions)
    .where(and(eq(deskVersions.kind, kind), eq(deskVersions.item, id)))
    .orderBy(desc(deskVersions.number));

/** Deletes the versions of stories and events that were deleted. */
export function deleteOldVersions(db: Database): Promise<number> {
  const { kind, item } = deskVersions;
  const story = db
    .select({ id: storySubmissions.id })
    .from(storySubmissions)
    .where(sql`${storySubmissions.id}::text = ${item}`);
  const event = db
    .select({ id: eventSubmissions.id })
    .from(eventSubmissions)
    .where(eq(eventSubmissions.id, item));
  return deleteRows(
    db,
    deskVersions,
    or(and(eq(kind, "story"), notExists(story)), and(eq(kind, "event"), notExists(event))),
  );
}
