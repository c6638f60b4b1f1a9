import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { emailField } from "../../app/features/forms/receive.server.ts";
import {
  allSubscribers,
  countSubscribers,
  deleteSubscriber,
  listSubscribers,
} from "../../app/features/newsletter/subscribers/list.server.ts";
import { csvLine } from "../../app/lib/csv.server.ts";
import { calendarDay } from "../../app/lib/dates.ts";
import type { Command, Desk } from "./commands.ts";

const listed = 50;

export const subscribersCommand: Command = {
  name: "subscribers",
  summary: "Shows who gets the letter, writes them into a file, deletes an address.",
  usage: "subscribers list [--all] | export [file.csv] | delete <address>",
  examples: [
    "subscribers list",
    "subscribers export",
    "subscribers export readers.csv",
    "subscribers delete reader@example.com",
  ],
  async run([verb, ...rest], desk) {
    const [subject] = rest;
    if (verb === "list" && rest.every((word) => word === "--all")) return list(desk, rest.length > 0);
    if (verb === "export" && rest.length <= 1) return exportFile(desk, subject ?? (await nameOfToday(desk)));
    if (verb === "delete" && subject !== undefined && rest.length === 1) return remove(desk, subject);
    desk.print(`Say one of: ${subscribersCommand.usage}.`);
    return 2;
  },
};

const minute = (instant: Date | null) => instant?.toISOString().slice(0, 16) ?? "";

async function list(desk: Desk, all: boolean): Promise<number> {
  const db = await desk.database();
  const readers = await listSubscribers(db, all ? 1_000_000 : listed);
  const { pending, confirmed } = await countSubscribers(db);
  const rows = readers.map(({ email, state, createdAt, confirmedAt }) => [
    ...[email, state, minute(createdAt), minute(confirmedAt)],
  ]);
  if (rows.length > 0) desk.table(["address", "state", "entered (UTC)", "confirmed (UTC)"], rows);
  if (readers.length < pending + confirmed)
    desk.print(`The newest ${listed} are shown; --all shows every one.`);
  desk.print(`${confirmed} confirmed, ${pending} pending.`);
  desk.answer(readers);
  return 0;
}

async function nameOfToday(desk: Desk): Promise<string> {
  const { clock, site } = await desk.services();
  return `readers-${calendarDay(clock(), site.read(brandFile).timeZone)}.csv`;
}

/** Only the owner may read the file: it is all that we know of our readers. */
async function exportFile(desk: Desk, name: string): Promise<number> {
  const path = resolve(desk.cwd, name);
  const file = await open(path, "wx", 0o600).catch(
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (typeof file === "string") {
    desk.print(
      file === "EEXIST"
        ? `${path} is there already. Name another file.`
        : `${path} cannot be written: ${file}.`,
    );
    return 1;
  }
  let readers = 0;
  try {
    await file.write(csvLine(["email", "state", "entered", "confirmed"]));
    for await (const { email, state, createdAt, confirmedAt } of allSubscribers(await desk.database())) {
      await file.write(csvLine([email, state, createdAt.toISOString(), confirmedAt?.toISOString() ?? ""]));
      readers += 1;
    }
  } finally {
    await file.close();
  }
  desk.print(
    `${readers} ${readers === 1 ? "address" : "addresses"} in ${path}. Delete the file when it has served.`,
  );
  desk.answer({ file: path, readers });
  return 0;
}

async function remove(desk: Desk, typed: string): Promise<number> {
  const address = emailField.safeParse(typed);
  if (!address.success) {
    desk.print(`"${typed}" is not an e-mail address.`);
    return 2;
  }
  const { db, mail } = await desk.services();
  const gone = await deleteSubscriber(db, address.data);
  await mail.discard(gone?.mails ?? []);
  desk.print(
    gone
      ? `${address.data} is deleted, with all mails of the newsletter to it.`
      : `We do not know ${address.data}. "subscribers list" shows whom we do.`,
  );
  desk.answer({ email: address.data, deleted: gone !== null });
  return gone ? 0 : 1;
}
