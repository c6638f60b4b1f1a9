import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { calendarDay, shortTimestamp } from "../../../lib/dates.ts";
import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { tryFile } from "../../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../../lib/newsroom/printing.ts";
import { forEach, listAllOption } from "../../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { formatCsvLine } from "../../../site-files/csv.server.ts";
import { readTimeZone } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { emailField } from "../../forms/receive.server.ts";
import {
  countSubscribers,
  deleteSubscriber,
  listSubscribers,
  readAllSubscribers,
} from "./list.server.ts";

const listLimit = 50;

const listVerb = verb({
  summary: `List the newest ${listLimit} subscribers.`,
  options: listAllOption("list all subscribers"),
  async run(context, { all }) {
    const db = await context.database();
    const subscribers = await listSubscribers(db, all ? 1_000_000 : listLimit);
    const { pending, confirmed } = await countSubscribers(db);
    const timeZone = await readTimeZone(context);
    const formatTime = (at: Date | null) => (at ? shortTimestamp(at, timeZone) : "");
    const rows = subscribers.map(({ email, state, createdAt, confirmedAt }) => [
      email,
      state,
      formatTime(createdAt),
      formatTime(confirmedAt),
    ]);
    if (rows.length > 0) context.table(["address", "state", "entered", "confirmed"], rows);
    if (subscribers.length < pending + confirmed)
      context.print(`Showing the newest ${listLimit}. Use --all to list all of them.`);
    context.print(`${confirmed} confirmed, ${pending} pending.`);
    context.result(subscribers);
  },
});

async function defaultFileName(context: CommandContext): Promise<string> {
  const { clock, site } = await context.services();
  return `subscribers-${calendarDay(clock(), site.read(siteSettingsFile).timeZone)}.csv`;
}

const exportVerb = verb({
  summary: "Write all subscribers to a CSV file that only its owner can read.",
  arguments: { file: { description: "a new file; subscribers-<day>.csv by default" } },
  async run(context, { file: name }) {
    const path = resolve(context.cwd, name ?? (await defaultFileName(context)));
    const db = await context.database();
    let writtenCount = 0;
    await tryFile(context, { path, action: "write" }, async () => {
      await using file = await open(path, "wx", 0o600);
      try {
        await file.write(formatCsvLine(["email", "state", "entered", "confirmed"]));
        for await (const { email, state, createdAt, confirmedAt } of readAllSubscribers(db)) {
          const times = [createdAt.toISOString(), confirmedAt?.toISOString() ?? ""];
          await file.write(formatCsvLine([email, state, ...times]));
          writtenCount += 1;
        }
      } catch (error) {
        // An incomplete file could be mistaken for the complete list.
        await rm(path, { force: true });
        throw error;
      }
    });
    context.print(
      `Wrote ${formatCount(writtenCount, "address", "addresses")} to ${path}. Delete the file when you no longer need it.`,
    );
    context.result({ file: path, readers: writtenCount });
  },
});

const deleteVerb = verb({
  summary: "Delete subscribers and the newsletter emails to them.",
  arguments: {
    address: { required: true, repeated: true, description: "the subscriber's email address" },
  },
  run: (context, { address }) => forEach(context, address, deleteByAddress),
});

async function deleteByAddress(context: CommandContext, typed: string): Promise<number> {
  const address = emailField.safeParse(typed);
  if (!address.success) refuseCommand(`"${typed}" is not an email address.`);
  const { db, mail } = await context.services();
  const deleted = await deleteSubscriber(db, address.data);
  await mail.deleteFiles(deleted?.mails ?? []);
  context.print(
    deleted
      ? `Deleted ${address.data} and all newsletter emails to it.`
      : `${address.data} is not a subscriber. Run "./newsroom subscribers list --all" to see all of them.`,
  );
  context.result({ email: address.data, deleted: deleted !== null });
  return deleted ? 0 : 1;
}

export const subscribersCommand: Command = {
  name: "subscribers",
  group: "Newsletter",
  summary: "List, export or delete the newsletter's subscribers.",
  examples: [
    "subscribers list",
    "subscribers export",
    "subscribers export subscribers.csv",
    "subscribers delete reader@example.com",
  ],
  verbs: { list: listVerb, export: exportVerb, delete: deleteVerb },
};
