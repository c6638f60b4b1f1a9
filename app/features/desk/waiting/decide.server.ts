import { and, asc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../../db/database.ts";
import { lockRow } from "../../../../db/rows.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { formatMessage, markDone } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import {
  changeSubmittedEvent,
  decideEvents,
  type EventValues,
} from "../../events/submissions.server.ts";
import { explainSkipped, type NotifiedSenders } from "../../forms/decisions.server.ts";
import { requiredText } from "../../forms/receive.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { defaultCategory } from "../../stories/readers/model.ts";
import { approveStories, rejectStories } from "../../stories/readers/moderation.server.ts";
import { storyImages } from "../../stories/schema.server.ts";
import { writeLog } from "../log/log.server.ts";
import type { Desk } from "../services.ts";
import { type Before, type Locked, lockItems, rememberBefore, toRefs } from "./before.server.ts";
import { explainLate } from "./list.server.ts";
import { type Action, countItems, type ItemRef, maxAnswerLength } from "./model.ts";
import { deskAnswers } from "./schema.server.ts";
import { completeUndo, storeUndo, undoUntil } from "./undo.server.ts";

type StoryEdit = {
  title: string;
  text: string;
  category: string;
  images: { id: string; alt: string }[];
};

export type Choice = {
  action: Action;
  /** Why, for an email to the sender of a story or an event that is rejected. */
  reason?: string | undefined;
  /** For the approval of one story. */
  story?: StoryEdit | undefined;
  /** For the approval of one event. */
  event?: EventValues | undefined;
  /** The fields of the page of one item, which an undo fills in again. */
  typed?: Record<string, string> | undefined;
};

/** "refused": nothing was changed; the message says why, such as who has decided meanwhile. */
type Decided = { kind: "decided" } | { kind: "refused"; message: string };

/**
 * Decides about the items of `refs` that still wait, in one transaction, and writes it to the log.
 * For ten minutes the decision can be undone: until then, what it deletes is in the table of undos,
 * and the emails to senders wait.
 */
export async function decideItems(
  { db, clock, site, editor }: Desk,
  refs: ItemRef[],
  choice: Choice,
): Promise<Decided> {
  const now = clock();
  const { timeZone } = site.read(siteSettingsFile);
  const services = {
    // All changes get the same time, by which an undo recognizes what this decision has changed.
    clock: () => now,
    site,
    mailDueAt: undoUntil(now),
    fileNames: site.names(newsFolder),
  };
  const { action, reason = "" } = choice;
  return db.transaction(async (tx) => {
    const waiting = await lockItems(tx, "waiting", refs);
    const undescribed =
      action === "accept" && !choice.story ? await findUndescribed(tx, waiting.stories) : [];
    const stories = waiting.stories.filter(({ id }) => !undescribed.includes(id));
    const items = { ...waiting, stories };
    const decided = toRefs(items);
    const late = await explainLate(tx, timeZone, without(refs, toRefs(waiting)));
    const note = `${late} ${explainUndescribed(undescribed.length)}`.trim();
    if (decided.length === 0)
      return { kind: "refused", message: note || "Select something first." };
    const before = { ...(await rememberBefore(tx, items)), typed: choice.typed };
    const summary = summarize(items, choice);
    const undo = await storeUndo(tx, now, editor, { summary, note, before }, choice.story?.images);
    const { skipped, ...result } = await apply(tx, services, items, before, choice);
    const fullNote = `${note} ${explainSkipped(skipped)}`.trim();
    await completeUndo(tx, undo, { ...result, note: fullNote });
    for (const { did, part } of listParts(items, action))
      await writeLog(tx, clock, editor, {
        action: did,
        items: toRefs(part).map(({ id }) => id),
        ...describeForLog(part, choice, timeZone),
        note: reason,
      });
    return { kind: "decided" };
  });
}

async function findUndescribed(tx: Database, stories: { id: string }[]): Promise<string[]> {
  const { storyId, alt } = storyImages;
  const ids = stories.map(({ id }) => id);
  const rows = await tx
    .selectDistinct({ storyId })
    .from(storyImages)
    .where(and(inArray(storyId, ids), eq(alt, "")));
  return rows.map((row) => row.storyId);
}

function without(refs: ItemRef[], others: ItemRef[]): ItemRef[] {
  const ids = new Set(others.map(({ id }) => id));
  return refs.filter(({ id }) => !ids.has(id));
}

/** What is decided in the same way, with the words of the log for it. */
function listParts(items: Locked, action: Action): { did: string; part: Locked }[] {
  const parts =
    action === "reject"
      ? [{ did: "rejected", part: items }]
      : [
          { did: "approved", part: { ...items, messages: [] } },
          { did: "marked as done", part: { stories: [], events: [], messages: items.messages } },
        ];
  return parts.filter(({ part }) => toRefs(part).length > 0);
}

const explainUndescribed = (count: number): string =>
  count === 0
    ? ""
    : `${formatCount(count, "story still waits", "stories still wait")}: readers who cannot see need a description of each image. Open the story to write one.`;

const titleOf = ({ title }: { title: string }, { story, event }: Choice) =>
  `“${(story ?? event)?.title ?? title}”`;

/** Such as "Approved 2 stories, marked 1 message as done". */
function summarize(items: Locked, choice: Choice): string {
  const parts = listParts(items, choice.action).map(({ did, part }) => {
    const [first, ...others] = [...part.stories, ...part.events];
    const isOne = first && others.length + part.messages.length === 0;
    const [verb, ...rest] = did.split(" ");
    return [verb, isOne ? titleOf(first, choice) : countItems(toRefs(part)), ...rest].join(" ");
  });
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The log is stored for a year, longer than anything that readers send and we do not publish.
 * So it contains the titles of published items only.
 */
function describeForLog(items: Locked, choice: Choice, timeZone: string) {
  const [ref, ...others] = toRefs(items);
  const [first] = [...items.stories, ...items.events, ...items.messages];
  if (!ref || !first || others.length > 0) return { kind: "", title: countItems(toRefs(items)) };
  const title =
    choice.action === "accept" && "title" in first
      ? titleOf(first, choice)
      : `received ${shortTimestamp(first.createdAt, timeZone)}`;
  return { kind: ref.kind, title };
}

/**
 * Carries out the decision. Returns the keys of the emails about it, how many senders get none
 * because they already got one today, and the path of the page if exactly one was published.
 */
async function apply(
  tx: Database,
  services: Parameters<typeof approveStories>[1],
  { stories, events, messages }: Locked,
  before: Before,
  { action, reason, story, event }: Choice,
): Promise<{ mailKeys: string[]; skipped: number; page: string }> {
  const mailKeys: string[] = [];
  let skipped = 0;
  const count = (senders: NotifiedSenders) => {
    mailKeys.push(...senders.mailKeys);
    skipped += senders.skipped;
  };
  const pages: string[] = [];
  if (stories.length > 0 && action === "accept") {
    const edits = before.stories.map(({ id, category, images }) => ({
      id,
      state: "waiting",
      category: category ?? defaultCategory,
      images,
      ...story,
    }));
    const { published, senders } = await approveStories(tx, services, edits);
    count(senders);
    pages.push(...published.map(({ slug }) => `/news/${slug}`));
  } else if (stories.length > 0)
    count((await rejectStories(tx, services, stories, reason)).senders);
  for (const { id } of event ? events : [])
    if (event)
      await changeSubmittedEvent(tx, services.site.read(siteSettingsFile).timeZone, id, event);
  if (events.length > 0) {
    const state = action === "accept" ? "approved" : "rejected";
    const { senders } = await decideEvents(tx, services, events, { state, reason });
    count(senders);
    if (action === "accept") pages.push(...events.map(({ id }) => `/events/${id}`));
  }
  const ids = messages.map(({ id }) => id);
  if (ids.length > 0)
    await markDone(tx, services.clock, ids, action === "accept" ? "done" : "rejected");
  return { mailKeys, skipped, page: pages.length === 1 ? (pages[0] ?? "") : "" };
}

export const answerSchema = z.object({
  answer: requiredText("Please write your answer.", maxAnswerLength),
});

export const listAnswers = (db: Database, message: string) =>
  db
    .select()
    .from(deskAnswers)
    .where(eq(deskAnswers.message, message))
    .orderBy(asc(deskAnswers.at));

/**
 * Answers a message by email and marks it as done. `seenState` is the state of the message when the
 * editor began to write: if another editor has answered meanwhile, nothing is sent.
 */
export async function answerMessage(
  { db, clock, site, editor }: Desk,
  id: string,
  text: string,
  seenState: string,
): Promise<Decided> {
  const now = clock();
  const { name, timeZone } = site.read(siteSettingsFile);
  return db.transaction(async (tx) => {
    const message = await lockRow(tx, contactMessages, eq(contactMessages.id, id));
    if (!message || message.state !== seenState)
      return {
        kind: "refused",
        message: await explainLate(tx, timeZone, [{ kind: "message", id }]),
      };
    if (message.email === "" || message.state === "rejected")
      return { kind: "refused", message: "This message cannot be answered by email." };
    await tx
      .delete(deskAnswers)
      .where(and(eq(deskAnswers.message, id), eq(deskAnswers.isDraft, true)));
    const [answer] = await tx
      .insert(deskAnswers)
      .values({ message: id, at: now, editorName: editor.name, text, isDraft: false })
      .returning({ id: deskAnswers.id });
    if (!answer) throw new Error("The answer was not stored.");
    const before = await rememberBefore(tx, { stories: [], events: [], messages: [message] });
    const undo = await storeUndo(tx, now, editor, {
      summary: "Answered a message",
      note: "",
      before: { ...before, answer: answer.id },
    });
    await markDone(tx, () => now, [id]);
    const key = `answer:${answer.id}`;
    const received = shortTimestamp(message.createdAt, timeZone);
    await queueMail(tx, clock, {
      key,
      to: message.email,
      subject: `Re: Your message to ${name}`,
      text: `${stripControlCharacters(text)}\n\n${editor.name}\n${name}\n\nYou wrote on ${received}:\n${quote(formatMessage(message))}\n`,
      headers: { "Reply-To": site.read(contactFile).email },
      dueAt: undoUntil(now),
    });
    await completeUndo(tx, undo, { mailKeys: [key], page: "" });
    const title = `received ${received}`;
    await writeLog(tx, clock, editor, { action: "answered", kind: "message", items: [id], title });
    return { kind: "decided" };
  });
}

const quote = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
