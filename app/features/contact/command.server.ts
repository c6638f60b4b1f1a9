import type { Database } from "../../../db/database.ts";
import { shortTimestamp } from "../../lib/dates.ts";
import { shortenId } from "../../lib/newsroom/printing.ts";
import {
  oneOrMany,
  pickAll,
  type SelectionOptions,
  selectionOptions,
  selectSubmissions,
} from "../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { readBrandFiles } from "../brand/command-site.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { findMessages, listMessages, type Message, markDone } from "./messages.server.ts";

const id = {
  repeated: true,
  description: 'the first characters of the id that "messages list --all" shows',
} as const;

export const messagesCommand: Command = {
  name: "messages",
  group: "Submissions",
  summary: "List and show messages from the contact form, or mark them as done.",
  examples: [
    "messages list",
    "messages list --all",
    "messages show 3f9a1c2b",
    "messages done 3f9a1c2b 77d0e4aa",
    "messages done --all --older 2w --dry-run",
  ],
  verbs: {
    list: verb({
      summary: "List the messages that are not done.",
      options: {
        all: {
          type: "flag",
          worksWithoutDashes: true,
          description: "include messages that are done",
        },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    show: verb({
      summary: "Print messages.",
      arguments: { id: { ...id, required: true } },
      run: (args, _options, context) => show(context, args.id),
    }),
    done: verb({
      summary: "Mark messages as done.",
      arguments: { id },
      options: selectionOptions,
      run: (args, options, context) => markAsDone(context, args.id, options),
    }),
  },
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const messages = await listMessages(await context.database(), all ? ["new", "done"] : ["new"]);
  context.result(messages.map(toJson));
  if (messages.length === 0)
    context.print(all ? "There are no messages." : "No messages are waiting.");
  else {
    const { timeZone } = (await readBrandFiles(context)).read(siteSettingsFile);
    const rows = messages.map(({ id, createdAt, category, name, email, message, state }) => [
      shortenId(id),
      shortTimestamp(createdAt, timeZone),
      category,
      toSafeLine(name || email || "–").slice(0, 24),
      toSafeLine(message).slice(0, 50),
      ...(all ? [state] : []),
    ]);
    const head = ["id", "received", "about", "from", "message", ...(all ? ["state"] : [])];
    context.table(head, rows);
  }
  return 0;
}

async function show(context: CommandContext, typedIds: string[]): Promise<number> {
  const messages = await pickAll(context, typedIds, subject(await context.database()));
  if (typeof messages === "number") return messages;
  const { timeZone } = (await readBrandFiles(context)).read(siteSettingsFile);
  context.result(oneOrMany(messages.map(toJson)));
  for (const [index, message] of messages.entries()) {
    const sender = [message.name, message.email].map(toSafeLine).filter(Boolean).join(", ");
    if (index > 0) context.print("");
    context.print(`${shortenId(message.id)}  (${message.state})`);
    context.print(`received:  ${shortTimestamp(message.createdAt, timeZone)}`);
    context.print(`about:     ${toSafeLine(message.category)}`);
    context.print(`from:      ${sender || "(no name or email address)"}`);
    context.print("");
    for (const line of stripControlCharacters(message.message).split("\n"))
      context.print(`  ${line}`);
  }
  return 0;
}

async function markAsDone(
  context: CommandContext,
  typedIds: string[],
  options: SelectionOptions,
): Promise<number> {
  const db = await context.database();
  const messages = await selectSubmissions(
    context,
    "messages done",
    typedIds,
    options,
    subject(db),
  );
  if (typeof messages === "number") return messages;
  const ids = messages.map(({ id: messageId }) => messageId);
  await markDone(db, context.clock, ids);
  context.result(oneOrMany(ids.map((messageId) => ({ id: messageId, state: "done" }))));
  for (const messageId of ids) context.print(`Marked ${shortenId(messageId)} as done.`);
  return 0;
}

const subject = (db: Database) => ({
  describeAction: (count: string) => `mark ${count} as done`,
  noun: "message",
  nouns: "messages",
  listCommand: "messages list --all",
  label: ({ name, message }: Message) => toSafeLine(`${name}: ${message}`).slice(0, 60),
  shorten: shortenId,
  find: (typed: string) => findMessages(db, typed),
  listWaiting: () => listMessages(db, ["new"]),
});

const toJson = ({ key: _key, createdAt, doneAt, name, message, ...rest }: Message) => ({
  ...rest,
  name: toSafeLine(name),
  message: stripControlCharacters(message),
  createdAt: createdAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
