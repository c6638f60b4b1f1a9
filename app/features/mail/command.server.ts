import { z } from "zod";
import { shortTimestamp } from "../../lib/dates.ts";
import { refuseCommand } from "../../lib/newsroom/command-error.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { listAllOption } from "../../lib/newsroom/selection.ts";
import { type Command, verb } from "../../platform/command.ts";
import { readTimeZone } from "../brand/command-site.server.ts";
import {
  countMails,
  findMails,
  listMails,
  type MailStatus,
  retryMails,
} from "./stored-mails.server.ts";

const listLimit = 50;

/** Exits with 1 if a person has to deal with an email, so that scripts can check for that. */
const listVerb = verb({
  summary: "List the emails that have not been sent.",
  options: listAllOption("list all emails, including sent ones"),
  async run(context, { all }) {
    const db = await context.database();
    const mails = await listMails(db, { all, limit: all ? 1_000_000 : listLimit });
    const counts = await countMails(db);
    const timeZone = await readTimeZone(context);
    const rows = mails.map(({ id, state, recipient, attempts, createdAt, error }) => [
      id,
      state,
      recipient,
      String(attempts),
      shortTimestamp(createdAt, timeZone),
      error ?? "",
    ]);
    if (rows.length > 0) context.table(["id", "state", "to", "attempts", "created", "error"], rows);
    const unsent =
      counts.waiting + counts.sending + counts.refused + counts.bounced + counts.unclear;
    if (!all && rows.length < unsent)
      context.print(
        `Showing ${rows.length} of ${unsent} emails: first those that need you, then the newest. Use --all to list all emails, including sent ones.`,
      );
    context.print(
      `${counts.waiting + counts.sending} waiting, ${counts.sent} sent recently, ${counts.refused} refused, ${counts.bounced} bounced, ${counts.unclear} unclear.`,
    );
    if (counts.bounced > 0)
      context.print(
        '"Bounced": the mail server says that the address does not exist. Subscribers are unsubscribed if their latest newsletters all bounced.',
      );
    if (counts.unclear > 0)
      context.print(
        '"Unclear": the email may or may not have arrived. Run "./newsroom mail retry <id> …" or "./newsroom mail retry --unclear" to send it again, possibly for the second time.',
      );
    context.result(mails);
    return counts.refused + counts.bounced + counts.unclear > 0 ? 1 : 0;
  },
});

/** Sends emails again and prints the new state of each. Exits with 0 only if all were sent. */
const retryVerb = verb({
  summary: "Send emails again.",
  arguments: { id: { repeated: true, description: 'the full id, as "mail list" shows it' } },
  options: {
    unclear: { type: "flag", description: "all emails that may or may not have arrived" },
  },
  async run(context, { id: typedIds, unclear }) {
    if (unclear === typedIds.length > 0)
      refuseCommand(
        '"mail retry" needs either ids or --unclear. Run "./newsroom mail list" to see the ids.',
      );
    const { db, clock, mail: mailer } = await context.services();
    const validIds = typedIds.filter((id) => z.uuid().safeParse(id).success);
    const retriedIds = await retryMails(db, clock, unclear ? "unclear" : validIds);
    const unknownIds = typedIds.filter((id) => !retriedIds.includes(id.toLowerCase()));
    for (const id of unknownIds)
      context.print(
        `There is no unsent email "${id}". Run "./newsroom mail list" to see the unsent emails.`,
      );
    if (unclear && retriedIds.length === 0) context.print("There are no unclear emails.");
    if (retriedIds.length > 0) await mailer.sendDue();
    const statuses = await findMails(db, retriedIds);
    for (const status of statuses) context.print(formatStatus(status));
    if (statuses.length < retriedIds.length)
      context.print(
        `Deleted ${formatCount(retriedIds.length - statuses.length, "email")} that must no longer be sent.`,
      );
    context.result(statuses);
    return unknownIds.length === 0 && statuses.every(({ state }) => state === "sent") ? 0 : 1;
  },
});

const formatStatus = ({ recipient, state, error }: MailStatus) =>
  `${recipient}: ${state}${error === null ? "" : ` (${error})`}`;

export const mailCommand: Command = {
  name: "mail",
  group: "Newsletter",
  summary:
    "List emails that are waiting, were refused or may not have arrived; or send them again.",
  examples: [
    "mail list",
    "mail list --all",
    "mail retry 4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11",
    "mail retry --unclear",
  ],
  verbs: { list: listVerb, retry: retryVerb },
};
