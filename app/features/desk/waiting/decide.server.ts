import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { fail } from "../../../lib/newsroom/command-error.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { setMessageState } from "../../contact/messages.server.ts";
import {
  changeSubmittedEvent,
  decideEvents,
  type EventRow,
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
import { commandEditor, writeLog } from "../log/log.server.ts";
import { toPublicPath } from "../published/model.ts";
import type { LogAction } from "../schema.server.ts";
import type { Desk, DeskServices } from "../services.ts";
import { holdDraftsOf, lockDraftsOf } from "../write/draft-of-item.server.ts";
import { titleOf } from "../write/model.ts";
import { type Locked, lockItems, rememberBefore, toRefs } from "./before.server.ts";
import { explainLate } from "./list.server.ts";
import { type Action, countItems, findPagePath, type SubmissionRef } from "./model.ts";
import { explainSkipped, type NotifiedSenders, notifySenders } from "./notify-senders.server.ts";
import { completeUndo, lockUndos, storeUndo, undoDecisions, undoUntil } from "./undo.server.ts";

export type Choice = {
  action: Action;
  /** Why, for an email to the sender of a story or an event that is rejected. */
  reason?: string | undefined;
  /** What readers will see of the stories that are approved, by their ids. */
  stories?: Map<string, StoryEdit>;
  /** For the approval of one event. */
  event?: EventValues | undefined;
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
    const waiting = await lockItems(tx, "waiting", refs);
    const { action, typed, stories: edits } = choice;
    const stories = waiting.stories.filter(({ id }) => action === "reject" || edits?.has(id));
    const items = { ...waiting, stories };
    const found = new Set(toRefs(waiting).map(({ id }) => id));
    const missing = refs.filter(({ id }) => !found.has(id));
    const note =
      `${explainLate(missing)} ${explainIncomplete(waiting.stories.length - stories.length)}`.trim();
    if (toRefs(items).length === 0)
      return { kind: "refused", message: note || "Select something first." };
    const before = { ...(await rememberBefore(tx, items)), typed };
    const summary = summarize(items, choice);
    const shown = edits && [...edits.values()].flatMap(({ images }) => images);
    const undo = await storeUndo(tx, now, editor, { summary, note, before }, shown);
    const by = { now, site, editor, mailDueAt: undoUntil(now) };
    const { decided, senders } = await carryOut(tx, by, items, choice);
    const [path = "", ...otherPaths] = decided.flatMap((item) => item.path ?? []);
    await completeUndo(tx, undo, {
      mailKeys: senders.mailKeys,
      path: otherPaths.length === 0 ? path : "",
      note: `${note} ${explainSkipped(senders.skipped)}`.trim(),
    });
    return { kind: "decided" };
  });
}

/** A submission as the person who typed a command saw it. */
type Listed = SubmissionRef & { state: string; origin?: string | undefined; slug?: string | null };

/** Whether it was decided in this way before. What the desk wrote is taken down, not rejected. */
export const isDecided = ({ kind, state, origin }: Listed, action: Action): boolean =>
  action === "reject"
    ? state === "rejected" || (state === "down" && origin === "desk")
    : state === (kind === "message" ? "done" : "approved");

/**
 * Decides about submissions in any state, and writes it to the log. A decision that can still be
 * undone is undone first (before a rejection any, before an approval a rejection): the sender then
 * gets one email, about the last decision, and a story has its author again. For ten minutes a
 * rejection can be undone from the bin, like one of the desk. What was decided in the same way stays
 * as it is, unless there is an edit or a reason. Ends the command if somebody else has decided
 * meanwhile.
 */
export async function decideByCommand(
  { db, clock, site }: DeskServices,
  listed: Listed[],
  choice: Choice,
): Promise<Outcome & { unchanged: Set<string>; unscheduled: string[] }> {
  const now = clock();
  const { action, reason, stories: edits } = choice;
  const isDone = (item: Listed) =>
    isDecided(item, action) && reason === undefined && !edits?.has(item.id);
  const changed = listed.filter((each) => !isDone(each));
  return db.transaction(async (tx) => {
    const undos = await lockUndos(tx, now);
    const drafts = await lockDraftsOf(tx, changed);
    const { stories, events, messages } = await lockItems(tx, null, listed);
    const states = new Map(
      [...stories, ...events, ...messages].map(({ id, state }) => [id, state]),
    );
    if (listed.some(({ id, state }) => states.get(id) !== state))
      fail(
        "Nothing was changed, because somebody else has just decided about one of them. Try again.",
      );
    // An earlier approval is not undone, so what an editor changed with it stays.
    const undone = action === "reject" ? changed : toRefs(await lockItems(tx, "bin", changed));
    await undoDecisions(tx, undos, undone);
    const items = await lockItems(tx, null, changed);
    const by = { now, site, editor: commandEditor };
    if (action === "reject") await storeRejection(tx, now, items);
    const mailDueAt = action === "reject" ? undoUntil(now) : now;
    const outcome = await carryOut(tx, { ...by, mailDueAt }, items, choice);
    const byId = new Map(outcome.decided.map((each) => [each.id, each]));
    return {
      ...outcome,
      decided: listed.map(
        (each) => byId.get(each.id) ?? { id: each.id, state: each.state, path: findPagePath(each) },
      ),
      unchanged: new Set(listed.filter(isDone).map(({ id }) => id)),
      unscheduled: drafts.flatMap(({ fields, publishAt }) => (publishAt ? titleOf(fields) : [])),
    };
  });
}

/**
 * Stores the names and email addresses that a rejection by command deletes. Messages keep theirs, and
 * what was written at the desk is only taken down.
 */
async function storeRejection(tx: Database, now: Date, { stories, events }: Locked) {
  const goesToBin = ({ state, origin }: StoryRow | EventRow) =>
    state !== "rejected" && origin !== "desk";
  const items = {
    stories: stories.filter(goesToBin),
    events: events.filter(goesToBin),
    messages: [],
  };
  const what = countItems(toRefs(items));
  if (what === "") return;
  const before = await rememberBefore(tx, items);
  await storeUndo(tx, now, commandEditor, { summary: `Rejected ${what}`, note: "", before });
}

type Part = { did: LogAction; part: Locked };

/** What is decided in the same way, with the words of the log for it. */
function listParts(items: Locked, action: Action): Part[] {
  const parts: Part[] =
    action === "reject"
      ? [{ did: "rejected", part: items }]
      : [
          { did: "approved", part: { ...items, messages: [] } },
          { did: "marked as done", part: { stories: [], events: [], messages: items.messages } },
        ];
  return parts.filter(({ part }) => toRefs(part).length > 0);
}

const explainIncomplete = (count: number): string =>
  count === 0
    ? ""
    : `${formatCount(count, "story still waits", "stories still wait")}: readers who cannot see need a description of each image. Open the story to write one.`;

const newTitleOf = ({ id, title }: { id: string; title: string }, { stories, event }: Choice) =>
  stories?.get(id)?.title ?? event?.title ?? title;

/** Such as "Approved 2 stories, marked 1 message as done". */
function summarize(items: Locked, choice: Choice): string {
  const parts = listParts(items, choice.action).map(({ did, part }) => {
    const [first, ...others] = [...part.stories, ...part.events];
    const isOne = first && others.length + part.messages.length === 0;
    const [verb, ...rest] = did.split(" ");
    return [
      verb,
      isOne ? `“${newTitleOf(first, choice)}”` : countItems(toRefs(part)),
      ...rest,
    ].join(" ");
  });
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The log is stored for a year, longer than anything that readers send and we do not publish.
 * So it contains only the titles of what is published or was written at the desk.
 */
function describeForLog(items: Locked, choice: Choice, timeZone: string) {
  const [ref, ...others] = toRefs(items);
  const [first] = [...items.stories, ...items.events, ...items.messages];
  if (!ref || !first || others.length > 0) return { kind: "", title: countItems(toRefs(items)) };
  const title =
    "title" in first && (choice.action === "accept" || first.origin === "desk")
      ? `“${newTitleOf(first, choice)}”`
      : `received ${shortTimestamp(first.createdAt, timeZone)}`;
  return { kind: ref.kind, title };
}

type Deciding = Pick<DeskServices, "site"> & {
  /** All changes get the same time, by which an undo recognizes what a decision has changed. */
  now: Date;
  editor: Editor;
  /** When senders get their emails. */
  mailDueAt: Date;
};

type Outcome = {
  /** The new state of each item, and the path of its page if it was published. */
  decided: { id: string; state: string; path?: string | undefined }[];
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
    const edit = choice.stories?.get(row.id);
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
async function carryOut(
  tx: Database,
  { now, site, editor, mailDueAt }: Deciding,
  items: Locked,
  choice: Choice,
): Promise<Outcome> {
  const clock = () => now;
  const { stories, events, messages } = items;
  const { action, reason, event } = choice;
  const { origin, timeZone } = site.read(siteSettingsFile);
  const isApproval = action === "accept";
  if (isApproval) await updateStories(tx, { now, site, editor }, stories, choice);
  const ofStories = isApproval
    ? await approveStories(tx, { clock, site }, stories, choice.stories ?? new Map())
    : await rejectStories(tx, clock, stories);
  if (event) for (const { id } of events) await changeSubmittedEvent(tx, timeZone, id, event);
  const ofEvents = await decideEvents(tx, clock, events, isApproval ? "approved" : "rejected");
  const messageIds = messages.map(({ id }) => id);
  const messageState = isApproval ? "done" : "rejected";
  await setMessageState(tx, clock, messageIds, messageState);
  const all = toRefs(items).map(({ id }) => id);
  await holdDraftsOf(tx, all);
  const rejected = ofStories.flatMap(({ id, state }) => (state === "rejected" ? id : []));
  await deleteVersions(tx, rejected);
  const decided: Outcome["decided"] = [
    ...ofStories,
    ...ofEvents.map((each) =>
      isApproval ? { ...each, path: toPublicPath("event", each.id) } : each,
    ),
    ...messageIds.map((id) => ({ id, state: messageState })),
  ];
  const urls = new Map(decided.map(({ id, path }) => [id, path && origin + path]));
  const toSubmission = (noun: "story" | "event") => (item: StoryRow | EventRow) => ({
    noun,
    id: item.id,
    email: item.email,
    title: newTitleOf(item, choice),
    url: urls.get(item.id),
  });
  const senders = await notifySenders(
    { db: tx, clock, site, mailDueAt },
    [...stories.map(toSubmission("story")), ...events.map(toSubmission("event"))],
    reason,
  );
  for (const { did, part } of listParts(items, action))
    await writeLog(tx, clock, editor, {
      action: did,
      items: toRefs(part).map(({ id }) => id),
      ...describeForLog(part, choice, timeZone),
      note: reason,
    });
  return { decided, senders };
}
