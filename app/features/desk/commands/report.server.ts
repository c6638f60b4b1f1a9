import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
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

export function requireReason(reason: string | undefined): void {
  if (reason !== undefined && reason.trim() === "")
    refuseCommand("The reason is empty. Nothing was changed.");
}

export async function printMailsAndWakeMailer(
  context: Pick<CommandContext, "print" | "services" | "isServing">,
  { notified, skipped }: Omit<NotifiedSenders, "mailKeys">,
  reason?: string,
): Promise<void> {
  if (notified === 1) context.print("The sender gets an email.");
  if (notified > 1) context.print(`The senders get ${notified} emails.`);
  if (skipped > 0) context.print(explainSkipped(skipped));
  if (reason !== undefined && notified + skipped === 0)
    context.print(
      isForReader(reason)
        ? "Nobody gets an email, because we have no email address. It is deleted with the first decision."
        : "Nobody gets an email about spam.",
    );
  // If no server is running, the emails are sent when one starts.
  if (notified > 0 && context.isServing) (await context.services()).mail.wake();
}
