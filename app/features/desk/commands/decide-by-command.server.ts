import type { Database } from "../../../../db/database.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { CommandContext } from "../../../platform/command.ts";
import type { EventRow } from "../../events/submissions.server.ts";
import type { StoryRow } from "../../stories/schema.server.ts";
import { commandEditor } from "../log/log.server.ts";
import type { DeskServices } from "../services.ts";
import { type Locked, lockItems, rememberBefore, toRefs } from "../waiting/before.server.ts";
import { type Choice, carryOut, type Outcome } from "../waiting/decide.server.ts";
import { type Action, countItems, findPagePath, type SubmissionRef } from "../waiting/model.ts";
import { explainSkipped, isForReader } from "../waiting/notify-senders.server.ts";
import { lockUndos, storeUndo, undoDecisions, undoUntil } from "../waiting/undo.server.ts";
import { lockDraftsOf } from "../write/draft-of-item.server.ts";
import { titleOf } from "../write/model.ts";

type CommandOutcome = Outcome & {
  /** The ids of those that had been decided in the same way before. */
  unchanged: Set<string>;
  /** The titles of the drafts that had a date to be published. */
  unscheduled: string[];
};

/** A submission as the person who typed a command saw it. */
type Chosen = SubmissionRef & {
  state: string;
  writtenBy?: string | undefined;
  slug?: string | null;
};

/** Whether it was decided in this way before. What the desk wrote is taken down, not rejected. */
export const wasDecided = ({ kind, state, writtenBy }: Chosen, action: Action): boolean =>
  action === "reject"
    ? state === "rejected" || (state === "down" && writtenBy === "desk")
    : state === (kind === "message" ? "done" : "approved");

/**
 * Decides about submissions in any state, and writes it to the log. A decision that can still be
 * undone is undone first (before a rejection any, before an approval a rejection): the sender then
 * gets one email, about the last decision, and a story has its author again. For ten minutes a
 * rejection can be undone from the bin, like one of the desk; an approval has no undo, because its
 * emails are sent at once. What was decided in the same way stays as it is, unless there is an edit
 * or a reason. Ends the command if somebody else has decided meanwhile.
 */
export async function decideByCommand(
  { db, clock, site }: DeskServices,
  chosen: Chosen[],
  choice: Choice,
): Promise<CommandOutcome> {
  const now = clock();
  const { action, reason, storyEdits } = choice;
  const stays = (item: Chosen) =>
    wasDecided(item, action) && reason === undefined && !storyEdits?.has(item.id);
  const changed = chosen.filter((each) => !stays(each));
  return db.transaction(async (tx) => {
    const undos = await lockUndos(tx, now);
    const drafts = await lockDraftsOf(tx, changed);
    const { stories, events, messages } = await lockItems(tx, chosen);
    const states = new Map(
      [...stories, ...events, ...messages].map(({ id, state }) => [id, state]),
    );
    if (chosen.some(({ id, state }) => states.get(id) !== state))
      fail(
        "Nothing was changed, because somebody else has just decided about one of them. Try again.",
      );
    // An earlier approval is not undone, so what an editor changed with it stays.
    const undone =
      action === "reject" ? changed : changed.filter(({ state }) => state === "rejected");
    await undoDecisions(tx, undos, undone);
    // Read again, because an undo restores what its decision had deleted.
    const items = await lockItems(tx, changed);
    const by = { now, site, editor: commandEditor };
    if (action === "reject") await storeRejection(tx, now, items);
    const mailDueAt = action === "reject" ? undoUntil(now) : now;
    const outcome = await carryOut(tx, { ...by, mailDueAt }, items, choice);
    const byId = new Map(outcome.decided.map((each) => [each.id, each]));
    return {
      ...outcome,
      decided: chosen.map(
        (each) =>
          byId.get(each.id) ?? {
            id: each.id,
            state: each.state,
            slug: each.slug,
            path: findPagePath(each),
          },
      ),
      unchanged: new Set(chosen.filter(stays).map(({ id }) => id)),
      unscheduled: drafts.flatMap(({ fields, publishAt }) => (publishAt ? titleOf(fields) : [])),
    };
  });
}

/**
 * Stores the names and email addresses that a rejection by command deletes. Messages keep theirs, and
 * what was written at the desk is only taken down.
 */
async function storeRejection(tx: Database, now: Date, { stories, events }: Locked) {
  const goesToBin = ({ state, writtenBy }: StoryRow | EventRow) =>
    state !== "rejected" && writtenBy !== "desk";
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

export const reasonOption = {
  type: "string",
  value: "reason",
  description:
    "why, for an email to the sender; without a reason, or with the reason spam, nobody gets an email",
} as const;

export function refuseEmptyReason(reason: string | undefined): void {
  if (reason !== undefined && reason.trim() === "")
    refuseCommand("The reason is empty. Nothing was changed.");
}

/** Says what a decision changed besides the submissions. */
export function reportDecision(
  context: Pick<CommandContext, "print">,
  { senders: { notified, skipped }, unscheduled }: CommandOutcome,
  reason?: string,
): void {
  for (const title of unscheduled)
    context.print(`The draft "${toSafeLine(title)}" was scheduled, and has no date now.`);
  if (notified === 1) context.print("The sender gets an email.");
  if (notified > 1) context.print(`The senders get ${notified} emails.`);
  if (skipped > 0) context.print(explainSkipped(skipped));
  if (reason !== undefined && notified + skipped === 0)
    context.print(
      isForReader(reason)
        ? "Nobody gets an email, because we have no email address."
        : "Nobody gets an email about spam.",
    );
}
