import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { CommandContext } from "../../../platform/command.ts";
import {
  explainSkipped,
  isForReader,
  type NotifiedSenders,
} from "../waiting/notify-senders.server.ts";

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

type Outcome = { senders: Omit<NotifiedSenders, "mailKeys">; unscheduled: string[] };

/** Says what a decision changed besides the submissions. */
export function reportDecision(
  context: Pick<CommandContext, "print">,
  { senders: { notified, skipped }, unscheduled }: Outcome,
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

/** In a process of its own, the command leaves the emails to a server's next job. */
export async function wakeMailer({
  isServing,
  services,
}: Pick<CommandContext, "isServing" | "services">): Promise<void> {
  if (isServing) (await services()).mail.wake();
}
