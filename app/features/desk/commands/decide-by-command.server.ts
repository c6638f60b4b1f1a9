import type { Database } from "../../../../db/database.ts";
import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { shortenId } from "../../../lib/newsroom/printing.ts";
import { oneOrMany } from "../../../lib/newsroom/selection.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { CommandContext } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { commandEditor } from "../log/log.server.ts";
import type { DeskServices } from "../services.ts";
import { type Locked, lockItems, rememberBefore } from "../waiting/before.server.ts";
import { type Choice, carryOut, type Outcome } from "../waiting/decide.server.ts";
import type { Submission } from "../waiting/list.server.ts";
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
    const locked = await lockItems(tx, chosen);
    const states = new Map(locked.map(({ id, state }) => [id, state]));
    if (chosen.some(({ id, state }) => states.get(id) !== state))
      fail(
        "✗ Nothing was changed, because somebody else has just decided about one of them. Try again.",
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
async function storeRejection(tx: Database, now: Date, items: Locked[]) {
  const toBin = items.filter(
    (item) => item.kind !== "message" && item.state !== "rejected" && item.writtenBy !== "desk",
  );
  if (toBin.length === 0) return;
  const before = { items: await rememberBefore(tx, toBin) };
  const summary = `Rejected ${countItems(toBin)}`;
  await storeUndo(tx, now, commandEditor, { summary, before });
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

/** Decides about submissions, and says what became of each and what else changed. */
export async function decideAndReport(
  context: CommandContext,
  services: DeskServices,
  items: Submission[],
  choice: Choice,
): Promise<void> {
  if (items.length === 0) return;
  const outcome = await decideByCommand(services, items, choice);
  const { origin } = services.site.read(siteSettingsFile);
  const urls = new Map(outcome.decided.map(({ id, path = "" }) => [id, origin + path]));
  context.result(
    oneOrMany(
      outcome.decided.map(({ path, ...each }) => ({ ...each, url: path && origin + path })),
    ),
  );
  for (const item of items) {
    const isUnchanged = outcome.unchanged.has(item.id);
    context.print(describeDecision(item, choice.action, isUnchanged, urls.get(item.id)));
  }
  // In a process of its own, the command leaves the emails to a server's next job.
  if (context.isServing) (await context.services()).mail.wake();
  reportOthers(context, outcome, choice.reason);
}

function describeDecision(
  { kind, id, title, state }: Submission,
  action: Action,
  isUnchanged: boolean,
  url: string | undefined,
): string {
  if (kind === "message")
    return isUnchanged ? `${shortenId(id)} is already done.` : `✓ Marked ${shortenId(id)} as done.`;
  if (action === "accept") return isUnchanged ? `Already published: ${url}` : `✓ Published: ${url}`;
  const name = `"${toSafeLine(title)}"`;
  if (state === "approved") return `✓ Removed ${name} from the site.`;
  return isUnchanged
    ? `${name} is already ${state === "down" ? "taken down" : "rejected"}.`
    : `✓ Rejected ${name}.`;
}

/** Says what a decision changed besides the submissions. */
function reportOthers(
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
