import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { setMessageState } from "../../contact/messages.server.ts";
import {
  changeSubmittedEvent,
  decideEvents,
  type EventValues,
} from "../../events/submissions.server.ts";
import { readFields } from "../../stories/desk/rows.server.ts";
import {
  approveStories,
  rejectStories,
  type StoryEdit,
} from "../../stories/readers/moderation.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import type { Editor } from "../files.server.ts";
import { publishStory } from "../kinds/story.server.ts";
import { deleteVersions } from "../kinds/versions.server.ts";
import { describeAction, writeLog } from "../log/log.server.ts";
import type { LogAction } from "../schema.server.ts";
import type { Desk, DeskServices } from "../services.ts";
import { holdDraftsOf, lockDraftsOf } from "../write/draft-of-item.server.ts";
import { type Locked, lockItems, ofKind, rememberBefore } from "./before.server.ts";
import { explainLate } from "./list.server.ts";
import {
  type Action,
  countItems,
  findPagePath,
  type SubmissionKind,
  type SubmissionRef,
} from "./model.ts";
import { explainSkipped, type NotifiedSenders, notifySenders } from "./notify-senders.server.ts";
import { readLeftOutImages, storeUndo, undoUntil } from "./undo.server.ts";

export type Choice = {
  action: Action;
  /** Why, for an email to the sender of a story or an event that is rejected. */
  reason?: string | undefined;
  /** What readers will see of the stories that are approved, by their ids. */
  storyEdits?: Map<string, StoryEdit>;
  /** What readers will see of the only event that is approved, if an editor changed it. */
  eventEdit?: EventValues | undefined;
  /** The fields of the page of one item, which an undo fills in again. */
  typed?: Record<string, string> | undefined;
};

/** "refused": nothing was changed; the message says why, such as who has decided meanwhile. */
export type Decided = { kind: "decided" } | { kind: "refused"; message: string };

/**
 * Decides about the items of `refs` that still wait, in one transaction, and writes it to the log.
 * For ten minutes the decision can be undone: until then, what it deletes is in the table of undos,
 * and the emails to senders wait.
 */
export async function decideAtDesk(
  { db, clock, site, editor }: Desk,
  refs: SubmissionRef[],
  choice: Choice,
): Promise<Decided> {
  const now = clock();
  return db.transaction(async (tx) => {
    await lockDraftsOf(tx, refs);
    const waiting = await lockItems(tx, refs, "waiting");
    const { action, typed, storyEdits } = choice;
    const items = waiting.filter(
      ({ kind, id }) => kind !== "story" || action === "reject" || storyEdits?.has(id),
    );
    const missing = refs.filter(({ id }) => !waiting.some((item) => item.id === id));
    const note =
      `${explainLate(missing)} ${explainIncomplete(waiting.length - items.length)}`.trim();
    if (items.length === 0) return { kind: "refused", message: note || "Select something first." };
    const before = { items: await rememberBefore(tx, items), typed };
    const summary = summarize(items, choice);
    const shown = storyEdits && [...storyEdits.values()].flatMap(({ images }) => images);
    const leftOut = shown ? await readLeftOutImages(tx, items, shown) : [];
    const by = { now, site, editor, mailDueAt: undoUntil(now) };
    const { decided, senders } = await carryOut(tx, by, items, choice);
    const [path = "", ...otherPaths] = decided.flatMap((item) => item.path ?? []);
    const undo = {
      summary,
      before,
      mailKeys: senders.mailKeys,
      path: otherPaths.length === 0 ? path : "",
      note: `${note} ${explainSkipped(senders.skipped)}`.trim(),
    };
    await storeUndo(tx, now, editor, undo, leftOut);
    return { kind: "decided" };
  });
}

/** Groups what is decided in the same way, by the word of the log for it. */
const groupItems = (items: Locked[], action: Action): { did: LogAction; items: Locked[] }[] =>
  (["rejected", "approved", "marked as done"] as const).flatMap((did) => {
    const group = items.filter(({ kind }) => did === wordOf(kind, action));
    return group.length > 0 ? [{ did, items: group }] : [];
  });

const wordOf = (kind: SubmissionKind, action: Action) =>
  action === "reject" ? "rejected" : kind === "message" ? "marked as done" : "approved";

const explainIncomplete = (count: number): string =>
  count === 0
    ? ""
    : `${formatCount(count, "story still waits", "stories still wait")}: readers who cannot see need a description of each image. Open the story to write one.`;

/** The title that readers will see. Empty for a message. */
const newTitleOf = (item: Locked, { storyEdits, eventEdit }: Choice): string =>
  item.kind === "message"
    ? ""
    : (storyEdits?.get(item.id)?.title ?? eventEdit?.title ?? item.title);

/** Such as "Approved 2 stories, marked 1 message as done". */
function summarize(items: Locked[], choice: Choice): string {
  const parts = groupItems(items, choice.action).map((group) => {
    const [first, ...others] = group.items;
    const title = first && others.length === 0 ? newTitleOf(first, choice) : "";
    return describeAction(group.did, title ? `“${title}”` : countItems(group.items));
  });
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The log is stored for a year, longer than anything that readers send and we do not publish.
 * So it contains only the titles of what is published or was written at the desk.
 */
function describeForLog(items: Locked[], choice: Choice, timeZone: string) {
  const [first, ...others] = items;
  if (!first || others.length > 0) return { kind: "", title: countItems(items) };
  const isPublic =
    first.kind !== "message" && (choice.action === "accept" || first.writtenBy === "desk");
  const title = isPublic
    ? `“${newTitleOf(first, choice)}”`
    : `received ${shortTimestamp(first.createdAt, timeZone)}`;
  return { kind: first.kind, title };
}

type Deciding = Pick<DeskServices, "site"> & {
  /** All changes get the same time, by which an undo recognizes what a decision has changed. */
  now: Date;
  editor: Editor;
  /** When senders get their emails. */
  mailDueAt: Date;
};

export type Outcome = {
  /** The new state of each item; the slug of a story; the path of its page if readers can see it. */
  decided: {
    id: string;
    state: string;
    slug?: string | null | undefined;
    path?: string | undefined;
  }[];
  senders: NotifiedSenders;
};

/**
 * Gives stories that were on the site and get other texts the date of their update and a version, as
 * when they are published at the desk. A story that waits has none yet, because the approval may be
 * undone.
 */
async function updateStories(
  tx: Database,
  { now, site, editor }: Pick<Deciding, "now" | "site" | "editor">,
  stories: StoryRow[],
  choice: Choice,
): Promise<void> {
  for (const row of stories) {
    const edit = choice.storyEdits?.get(row.id);
    if (!edit || !row.publishedAt || row.state === "waiting") continue;
    const { title, text, category } = edit;
    if (title === row.title && text === row.text && category === row.category) continue;
    const fields = { ...(await readFields(tx, row)), title, text, category };
    await publishStory({ site }, tx, { row, fields, html: row.html, at: now, editor });
  }
}

/**
 * Carries out a decision about locked items, of the desk or of a command: changes them, queues the
 * emails to their senders, holds their drafts, and writes it to the log.
 */
export async function carryOut(
  tx: Database,
  { now, site, editor, mailDueAt }: Deciding,
  items: Locked[],
  choice: Choice,
): Promise<Outcome> {
  const clock = () => now;
  const [stories, events] = [ofKind(items, "story"), ofKind(items, "event")];
  const { action, reason, eventEdit } = choice;
  const { origin, timeZone } = site.read(siteSettingsFile);
  const isApproval = action === "accept";
  if (isApproval) await updateStories(tx, { now, site, editor }, stories, choice);
  const ofStories: { id: string; state: string; slug?: string }[] = isApproval
    ? await approveStories(tx, { clock, site }, stories, choice.storyEdits ?? new Map())
    : await rejectStories(tx, clock, stories);
  if (eventEdit)
    for (const { id } of events) await changeSubmittedEvent(tx, timeZone, id, eventEdit);
  const ofEvents = await decideEvents(tx, clock, events, isApproval ? "approved" : "rejected");
  const messageIds = ofKind(items, "message").map(({ id }) => id);
  const messageState = isApproval ? "done" : "rejected";
  await setMessageState(tx, clock, messageIds, messageState);
  await holdDraftsOf(
    tx,
    items.map(({ id }) => id),
  );
  const rejected = ofStories.flatMap(({ id, state }) => (state === "rejected" ? id : []));
  await deleteVersions(tx, rejected);
  const decided: Outcome["decided"] = [
    ...ofStories.map((each) => ({ ...each, path: findPagePath({ kind: "story", ...each }) })),
    ...ofEvents.map((each) => ({ ...each, path: findPagePath({ kind: "event", ...each }) })),
    ...messageIds.map((id) => ({ id, state: messageState })),
  ];
  const urls = new Map(decided.map(({ id, path }) => [id, path && origin + path]));
  const submissions = [...stories, ...events].map((item) => ({
    noun: item.kind,
    id: item.id,
    email: item.email,
    title: newTitleOf(item, choice),
    url: urls.get(item.id),
  }));
  const senders = await notifySenders({ db: tx, clock, site, mailDueAt }, submissions, reason);
  for (const group of groupItems(items, action))
    await writeLog(tx, clock, editor, {
      action: group.did,
      items: group.items.map(({ id }) => id),
      ...describeForLog(group.items, choice, timeZone),
      note: reason,
    });
  return { decided, senders };
}
