import { and, desc, eq, gt, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows, lockRow, lockRows } from "../../../../db/rows.ts";
import type { Clock } from "../../../lib/dates.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { clearTitles } from "../../stories/remembered.server.ts";
import { rememberedStories, storyImages, storySubmissions } from "../../stories/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { Desk } from "../services.ts";
import { holdDraftsOf, lockDraftsOf } from "../write/draft-of-item.server.ts";
import { type Before, type Locked, lockItems, ofKind } from "./before.server.ts";
import { tables } from "./list.server.ts";
import { countItems, idsOf, type SubmissionRef, submissionKinds, undoMinutes } from "./model.ts";
import { cancelMails, toMailKey } from "./notify-senders.server.ts";
import { deskAnswers, deskUndoImages, deskUndos } from "./schema.server.ts";

export const undoUntil = (now: Date): Date => new Date(now.getTime() + undoMinutes * 60_000);

/** The images that an approval of these items deletes, because readers will not see them. */
export async function readLeftOutImages(
  tx: Database,
  items: Locked[],
  shown: { id: string }[],
): Promise<(typeof storyImages.$inferSelect)[]> {
  const stories = ofKind(items, "story").map(({ id }) => id);
  const isLeftOut = notInArray(
    storyImages.id,
    shown.map(({ id }) => id),
  );
  return tx
    .select()
    .from(storyImages)
    .where(and(inArray(storyImages.storyId, stories), isLeftOut));
}

type Undo = typeof deskUndos.$inferSelect;

/** Stores what is necessary to undo a decision. */
export async function storeUndo(
  tx: Database,
  now: Date,
  editor: Editor,
  decision: Pick<Undo, "summary" | "before"> & Partial<Pick<Undo, "note" | "path" | "mailKeys">>,
  leftOut: (typeof storyImages.$inferSelect)[] = [],
): Promise<void> {
  const id = crypto.randomUUID();
  const shared = { id, at: now, until: undoUntil(now), editor: editor.email };
  await tx.insert(deskUndos).values({ ...shared, note: "", path: "", mailKeys: [], ...decision });
  for (const { storyId, ...image } of leftOut)
    await tx.insert(deskUndoImages).values({ ...image, story: storyId, undo: id });
}

export const listUndos = (db: Database, clock: Clock, editor: Editor) =>
  db
    .select({
      id: deskUndos.id,
      summary: deskUndos.summary,
      note: deskUndos.note,
      path: deskUndos.path,
      mails: db.$count(
        mails,
        sql`${mails.key} in (select jsonb_array_elements_text(${deskUndos.mailKeys}))`,
      ),
    })
    .from(deskUndos)
    .where(and(eq(deskUndos.editor, editor.email), gt(deskUndos.until, clock())))
    .orderBy(desc(deskUndos.at));

/** "partly": somebody has changed some of it since, and that stays. */
type Undone = { kind: "undone" | "partly" | "late"; item: SubmissionRef | null };

/**
 * Undoes a decision of this editor and cancels its emails. The result has an `item` if the editor
 * had typed something on its page, such as an answer, which is in the fields again.
 */
export async function undoDecision({ db, clock, editor }: Desk, id: string): Promise<Undone> {
  const late: Undone = { kind: "late", item: null };
  if (!isUuid(id)) return late;
  return db.transaction(async (tx) => {
    const isOwn = and(eq(deskUndos.id, id), eq(deskUndos.editor, editor.email));
    const undo = await lockRow(tx, deskUndos, and(isOwn, gt(deskUndos.until, clock())));
    if (!undo) return late;
    const { before } = undo;
    const all = before.items;
    await lockDraftsOf(tx, all);
    const restored = await undoDecisions(tx, [undo], all);
    await holdDraftsOf(tx, restored);
    await tx.delete(deskUndos).where(eq(deskUndos.id, id));
    const items = all.filter((each) => restored.includes(each.id));
    await logItems(tx, { clock, editor }, "undid a decision about", items);
    const [first] = before.answer || before.typed ? all : [];
    const item = first ? { kind: first.kind, id: first.id } : null;
    return { kind: items.length === all.length ? "undone" : "partly", item };
  });
}

/**
 * Restores the items that nobody has changed since the decision, and leaves the others as they are.
 * Returns the ids of the restored items.
 */
async function restoreBefore(
  tx: Database,
  { id, at }: { id: string; at: Date },
  { items, typed }: Before,
): Promise<string[]> {
  const [stories, events] = [ofKind(items, "story"), ofKind(items, "event")];
  if (stories.length + events.length > 0) await purge(tx, [cacheTags.stories, cacheTags.events]);
  return [
    ...(await restoreStories(tx, id, at, stories, typed)),
    ...(await restoreEvents(tx, at, events, typed)),
    ...(await restoreMessages(tx, at, ofKind(items, "message"))),
  ];
}

/**
 * Locks all decisions of the last ten minutes, because only the JSON of a decision says which items
 * it is about. Lock them before drafts and items, as `undoDecision` does.
 */
export const lockUndos = (tx: Database, now: Date) =>
  lockRows(tx, deskUndos, gt(deskUndos.until, now));

/**
 * Undoes the decisions about these items, no matter which editor decided, if they can still be
 * undone. Returns the ids of the restored items. Their senders get no email about these decisions.
 */
export async function undoDecisions(
  tx: Database,
  undos: Undo[],
  refs: SubmissionRef[],
): Promise<string[]> {
  const ids = new Set(refs.map(({ id }) => id));
  const isWanted = ({ id }: { id: string }) => ids.has(id);
  const all: string[] = [];
  for (const undo of undos) {
    const { id, before } = undo;
    const items = before.items.filter(isWanted);
    if (items.length === 0) continue;
    const restored = await restoreBefore(tx, undo, { ...before, items });
    all.push(...restored);
    await cancelMails(tx, restored.map(toMailKey));
    if (before.answer) {
      await cancelMails(tx, undo.mailKeys);
      await tx.update(deskAnswers).set({ isDraft: true }).where(eq(deskAnswers.id, before.answer));
    }
    if (before.items.every((item) => restored.includes(item.id)))
      await tx.delete(deskUndos).where(eq(deskUndos.id, id));
  }
  return all;
}

type ItemsBefore<Kind> = Extract<Before["items"][number], { kind: Kind }>[];

async function restoreStories(
  tx: Database,
  undo: string,
  at: Date,
  stories: ItemsBefore<"story">,
  typed: Before["typed"],
): Promise<string[]> {
  const restored: string[] = [];
  // A decision about a story that waited changes neither `createdAt` nor `updatedAt`, and the pin may
  // be newer than the decision.
  for (const {
    kind,
    id,
    images,
    publishedAt,
    createdAt,
    updatedAt,
    isPinned,
    ...story
  } of stories) {
    const isUnchanged = and(eq(storySubmissions.id, id), eq(storySubmissions.decidedAt, at));
    const decided = await lockRow(tx, storySubmissions, isUnchanged);
    if (!decided) continue;
    restored.push(id);
    await tx
      .update(storySubmissions)
      .set({
        ...story,
        ...(typed && { typed }),
        state: "waiting",
        decidedAt: null,
        publishedAt: publishedAt ? new Date(publishedAt) : null,
      })
      .where(eq(storySubmissions.id, id));
    // A path that only this approval used is free again. An older one stays gone.
    if (decided.slug && !story.slug)
      await tx.delete(rememberedStories).where(eq(rememberedStories.slug, decided.slug));
    else if (decided.slug) await clearTitles(tx, [decided.slug]);
    const leftOut = await tx
      .select()
      .from(deskUndoImages)
      .where(and(eq(deskUndoImages.undo, undo), eq(deskUndoImages.story, id)));
    for (const { undo: _undo, story: storyId, ...leftOutImage } of leftOut) {
      // The type requires that an undo has all columns of an image.
      const image: typeof storyImages.$inferSelect = { ...leftOutImage, storyId };
      await tx.insert(storyImages).values(image);
    }
    for (const image of images)
      await tx.update(storyImages).set({ alt: image.alt }).where(eq(storyImages.id, image.id));
  }
  return restored;
}

async function restoreEvents(
  tx: Database,
  at: Date,
  events: ItemsBefore<"event">,
  typed: Before["typed"],
): Promise<string[]> {
  const restored: { id: string }[] = [];
  for (const { kind, id, startsAt, endsAt, createdAt, ...event } of events)
    restored.push(
      ...(await tx
        .update(eventSubmissions)
        .set({
          ...event,
          ...(typed && { typed }),
          state: "waiting",
          decidedAt: null,
          startsAt: new Date(startsAt),
          endsAt: new Date(endsAt),
        })
        .where(and(eq(eventSubmissions.id, id), eq(eventSubmissions.decidedAt, at)))
        .returning({ id: eventSubmissions.id })),
    );
  return restored.map(({ id }) => id);
}

async function restoreMessages(
  tx: Database,
  at: Date,
  messages: ItemsBefore<"message">,
): Promise<string[]> {
  // All of them had the same state: many messages were waiting, or a single one had been answered.
  const [first] = messages;
  if (!first) return [];
  const ids = messages.map(({ id }) => id);
  const restored = await tx
    .update(contactMessages)
    .set({
      state: first.state,
      decidedAt: first.decidedAt ? new Date(first.decidedAt) : null,
    })
    .where(and(inArray(contactMessages.id, ids), eq(contactMessages.decidedAt, at)))
    .returning({ id: contactMessages.id });
  return restored.map(({ id }) => id);
}

export const deleteOldUndos = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, deskUndos, lte(deskUndos.until, clock()));

/**
 * Restores rejected items, so that they wait for a decision again. As long as the rejection can be
 * undone, this undoes it; after that, the deleted names and email addresses stay deleted.
 */
export async function restoreItems(
  { db, clock, editor }: Desk,
  refs: SubmissionRef[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const undos = await lockUndos(tx, clock());
    const inBin = await lockItems(tx, refs, "bin");
    const undone = await undoDecisions(tx, undos, inBin);
    const later = inBin.filter(({ id }) => !undone.includes(id));
    for (const kind of submissionKinds)
      await tx
        .update(tables[kind])
        .set({ state: "waiting", decidedAt: null })
        .where(inArray(tables[kind].id, idsOf(later, kind)));
    const restored = [...undone, ...later.map(({ id }) => id)];
    const items = refs.filter(({ id }) => restored.includes(id));
    await logItems(tx, { clock, editor }, "restored", items);
    return restored.length;
  });
}

async function logItems(
  tx: Database,
  { clock, editor }: Pick<Desk, "clock" | "editor">,
  action: LogAction,
  items: SubmissionRef[],
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.map(({ id }) => id);
  await writeLog(tx, clock, editor, { action, kind: "", items: ids, title: countItems(items) });
}
