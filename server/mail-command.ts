import { z } from "zod";
import { countMails, findMail, listMails, retryMail } from "../app/features/mail/list.server.ts";
import type { Command, Desk } from "./commands.ts";
import { askForHelp } from "./help.ts";

const listed = 50;

export const mailCommand: Command = {
  name: "mail",
  summary: "Shows the mails that wait, were refused, or may not have arrived, and sends one again.",
  usage: "mail list [--all] | retry <id>",
  examples: ["mail list", "mail list --all", "mail retry 4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11"],
  async run([verb, ...rest], desk) {
    if (verb === "list" && rest.every((word) => word === "--all")) return list(desk, rest.length > 0);
    if (verb === "retry" && rest.length === 1) return retry(desk, rest[0]);
    desk.print(`Say one of: ${mailCommand.usage}. ${askForHelp(mailCommand.name)}`);
    return 2;
  },
};

/** Fails when something needs a person: a machine that watches the exit code can tell. */
async function list(desk: Desk, all: boolean): Promise<number> {
  const db = await desk.database();
  const mails = await listMails(db, { all, limit: listed });
  const counts = await countMails(db);
  const minute = (instant: Date) => instant.toISOString().slice(0, 16);
  const rows = mails.map(({ id, state, recipient, attempts, createdAt, fault }) => [
    ...[id, state, recipient, String(attempts), minute(createdAt), fault ?? ""],
  ]);
  if (rows.length > 0) desk.table(["mail", "state", "to", "tries", "written (UTC)", "fault"], rows);
  desk.print(
    `${counts.waiting + counts.sending} waiting, ${counts.sent} sent lately, ${counts.refused} refused, ${counts.unclear} unclear.`,
  );
  if (counts.unclear > 0)
    desk.print(
      '"Unclear" may have arrived or not. "mail retry <id>" sends it again, perhaps for the second time.',
    );
  desk.answer(mails);
  return counts.refused + counts.unclear > 0 ? 1 : 0;
}

async function retry(desk: Desk, id: string | undefined): Promise<number> {
  const { db, clock, mail: post } = await desk.services();
  const known = z.uuid().safeParse(id);
  const mail = known.success ? await retryMail(db, clock, known.data) : null;
  if (!mail) {
    desk.print(`There is no mail "${id ?? ""}" that could be sent again. "mail list" shows those that can.`);
    return 1;
  }
  await post.sweep();
  const now = await findMail(db, known.data ?? "");
  desk.print(
    now ? `${mail.recipient}: ${now.state}${now.fault ? ` (${now.fault})` : ""}` : "It is no longer wanted.",
  );
  desk.answer(now && { id: now.id, recipient: now.recipient, state: now.state, fault: now.fault });
  return now?.state === "sent" ? 0 : 1;
}
