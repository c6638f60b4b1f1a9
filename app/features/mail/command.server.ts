import { z } from "zod";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { countMails, findMails, listMails, type MailStatus, retryMails } from "./list.server.ts";

const listLimit = 50;

export const mailCommand: Command = {
  name: "mail",
  group: "Newsletter",
  summary:
    "Shows the mails that wait, were refused, or may not have arrived, and sends them again.",
  examples: [
    "mail list",
    "mail list --all",
    "mail retry 4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11",
    "mail retry --unclear",
  ],
  verbs: {
    list: verb({
      summary: "Lists the mails that are not sent.",
      options: { all: { type: "flag", isBareWord: true, description: "every one, sent ones too" } },
      run: (_args, { all }, context) => list(context, all),
    }),
    retry: verb({
      summary: "Sends mails again.",
      arguments: { id: { repeated: true, description: 'the whole id that "mail list" shows' } },
      options: { unclear: { type: "flag", description: "all that may or may not have arrived" } },
      run: async ({ id }, { unclear }, context) => {
        if (unclear !== id.length > 0) return retry(context, unclear ? "unclear" : id);
        context.print('"mail retry" needs either ids, which "mail list" shows, or --unclear.');
        return 2;
      },
    }),
  },
};

/** Fails when something needs a person: a machine that watches the exit code can tell. */
async function list(context: CommandContext, all: boolean): Promise<number> {
  const db = await context.database();
  const mails = await listMails(db, { all, limit: all ? 1_000_000 : listLimit });
  const counts = await countMails(db);
  const minute = (instant: Date) => instant.toISOString().slice(0, 16);
  const rows = mails.map(({ id, state, recipient, attempts, createdAt, fault }) => [
    id,
    state,
    recipient,
    String(attempts),
    minute(createdAt),
    fault ?? "",
  ]);
  if (rows.length > 0)
    context.table(["mail", "state", "to", "tries", "written (UTC)", "fault"], rows);
  const unsent = counts.waiting + counts.sending + counts.refused + counts.bounced + counts.unclear;
  if (!all && rows.length < unsent)
    context.print(
      `The newest ${rows.length} of ${unsent} are shown, those that need you first; --all shows every one, sent ones too.`,
    );
  context.print(
    `${counts.waiting + counts.sending} waiting, ${counts.sent} sent lately, ${counts.refused} refused, ${counts.bounced} bounced, ${counts.unclear} unclear.`,
  );
  if (counts.bounced > 0)
    context.print(
      '"Bounced": the mail server says that there is no such address. Subscribers whose latest newsletters all bounced are unsubscribed.',
    );
  if (counts.unclear > 0)
    context.print(
      '"Unclear" may have arrived or not. "mail retry <id> …" or "mail retry --unclear" sends again, perhaps for the second time.',
    );
  context.result(mails);
  return counts.refused + counts.bounced + counts.unclear > 0 ? 1 : 0;
}

/** Says of each mail what became of it; done only when all are sent. */
async function retry(context: CommandContext, which: string[] | "unclear"): Promise<number> {
  const { db, clock, mail: post } = await context.services();
  const named = which === "unclear" ? [] : which;
  const known = named.filter((id) => z.uuid().safeParse(id).success);
  const again = await retryMails(db, clock, which === "unclear" ? which : known);
  const unknown = named.filter((id) => !again.includes(id.toLowerCase()));
  for (const id of unknown)
    context.print(
      `There is no mail "${id}" that could be sent again. "mail list" shows those that can.`,
    );
  if (which === "unclear" && again.length === 0) context.print("No mail is unclear.");
  if (again.length > 0) await post.sendDue();
  const fates = await findMails(db, again);
  for (const fate of fates) context.print(formatStatus(fate));
  if (fates.length < again.length)
    context.print(`${again.length - fates.length} no longer wanted, and deleted.`);
  context.result(fates);
  return unknown.length === 0 && fates.every(({ state }) => state === "sent") ? 0 : 1;
}

const formatStatus = ({ recipient, state, fault }: MailStatus) =>
  `${recipient}: ${state}${fault === null ? "" : ` (${fault})`}`;
