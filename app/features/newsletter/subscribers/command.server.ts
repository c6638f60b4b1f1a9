import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { csvLine } from "../../../lib/csv.server.ts";
import { calendarDay } from "../../../lib/dates.ts";
import { fileErrorMessage } from "../../../lib/newsroom/file-errors.server.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { brandFile } from "../../brand/files.server.ts";
import { emailField } from "../../forms/receive.server.ts";
import {
  allSubscribers,
  countSubscribers,
  deleteSubscriber,
  listSubscribers,
} from "./list.server.ts";

const listLimit = 50;

export const subscribersCommand: Command = {
  name: "subscribers",
  group: "Newsletter",
  summary: "Shows who gets the newsletter, writes them into a file, deletes an address.",
  examples: [
    "subscribers list",
    "subscribers export",
    "subscribers export readers.csv",
    "subscribers delete reader@example.com",
  ],
  verbs: {
    list: verb({
      summary: `Lists the newest ${listLimit}.`,
      options: { all: { type: "flag", isBareWord: true, description: "every one" } },
      run: (_args, { all }, context) => list(context, all),
    }),
    export: verb({
      summary: "Writes all of them into a CSV file that only its owner can read.",
      arguments: { file: { description: "a new file; readers-<day>.csv if it is not given" } },
      run: async ({ file }, _options, context) =>
        exportFile(context, file ?? (await defaultFileName(context))),
    }),
    delete: verb({
      summary: "Deletes an address and the mails that wait for it.",
      arguments: { address: { required: true, description: "the e-mail address of a reader" } },
      run: ({ address }, _options, context) => remove(context, address),
    }),
  },
};

const minute = (instant: Date | null) => instant?.toISOString().slice(0, 16) ?? "";

async function list(context: CommandContext, all: boolean): Promise<number> {
  const db = await context.database();
  const readers = await listSubscribers(db, all ? 1_000_000 : listLimit);
  const { pending, confirmed } = await countSubscribers(db);
  const rows = readers.map(({ email, state, createdAt, confirmedAt }) => [
    email,
    state,
    minute(createdAt),
    minute(confirmedAt),
  ]);
  if (rows.length > 0)
    context.table(["address", "state", "entered (UTC)", "confirmed (UTC)"], rows);
  if (readers.length < pending + confirmed)
    context.print(`The newest ${listLimit} are shown; --all shows every one.`);
  context.print(`${confirmed} confirmed, ${pending} pending.`);
  context.result(readers);
  return 0;
}

async function defaultFileName(context: CommandContext): Promise<string> {
  const { clock, site } = await context.services();
  return `readers-${calendarDay(clock(), site.read(brandFile).timeZone)}.csv`;
}

/** Only the owner may read the file: it is all that we know of our readers. */
async function exportFile(context: CommandContext, name: string): Promise<number> {
  const path = resolve(context.cwd, name);
  const db = await context.database();
  let [readers, isCreated] = [0, false];
  try {
    await using file = await open(path, "wx", 0o600);
    isCreated = true;
    await file.write(csvLine(["email", "state", "entered", "confirmed"]));
    for await (const { email, state, createdAt, confirmedAt } of allSubscribers(db)) {
      await file.write(
        csvLine([email, state, createdAt.toISOString(), confirmedAt?.toISOString() ?? ""]),
      );
      readers += 1;
    }
  } catch (error) {
    // Half a list could be mistaken for the whole.
    if (isCreated) await rm(path, { force: true });
    context.print(
      `✗ ${fileErrorMessage(error, { path, action: "write", isServing: context.isServing })}`,
    );
    return 1;
  }
  context.print(
    `${readers} ${readers === 1 ? "address" : "addresses"} in ${path}. Delete the file when it has served.`,
  );
  context.result({ file: path, readers });
  return 0;
}

async function remove(context: CommandContext, typed: string): Promise<number> {
  const address = emailField.safeParse(typed);
  if (!address.success) {
    context.print(`"${typed}" is not an e-mail address.`);
    return 2;
  }
  const { db, mail } = await context.services();
  const gone = await deleteSubscriber(db, address.data);
  await mail.deleteFiles(gone?.mails ?? []);
  context.print(
    gone
      ? `${address.data} is deleted, with all mails of the newsletter to it.`
      : `We do not know ${address.data}. "subscribers list" shows whom we do.`,
  );
  context.result({ email: address.data, deleted: gone !== null });
  return gone ? 0 : 1;
}
