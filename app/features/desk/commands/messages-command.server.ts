import type { Database } from "../../../../db/database.ts";
import { shortTimestamp } from "../../../lib/dates.ts";
import { formatSender, shortenId } from "../../../lib/newsroom/printing.ts";
import {
  listAllOption,
  oneOrMany,
  pickAll,
  selectionOptions,
  selectSubmissions,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, verb } from "../../../platform/command.ts";
import { readCommandSite, readTimeZone } from "../../brand/command-site.server.ts";
import {
  findMessages,
  formatMessage,
  listMessages,
  type Message,
  summarize,
} from "../../contact/messages.server.ts";
import { decideByCommand } from "./decide-by-command.server.ts";

const idArgument = {
  repeated: true,
  description: 'the first characters of the id that "messages list --all" shows',
} as const;

const listVerb = verb({
  summary: "List the messages that are not done.",
  options: listAllOption("include messages that are done"),
  async run(context, { all }) {
    const messages = await listMessages(
      await context.database(),
      all ? ["new", "done", "rejected"] : ["new"],
    );
    context.result(messages.map(toJson));
    if (messages.length === 0) {
      context.print(all ? "There are no messages." : "No messages are waiting.");
      return;
    }
    const timeZone = await readTimeZone(context);
    context.table(
      ["id", "received", "about", "from", "message", ...(all ? ["state"] : [])],
      messages.map(({ id, createdAt, category, name, email, message, topic, state }) => [
        shortenId(id),
        shortTimestamp(createdAt, timeZone),
        category,
        toSafeLine(name || email || "–").slice(0, 24),
        summarize(message, topic).slice(0, 50),
        ...(all ? [state] : []),
      ]),
    );
  },
});

const showVerb = verb({
  summary: "Print messages.",
  arguments: { id: { ...idArgument, required: true } },
  async run(context, { id: typedIds }) {
    const messages = await pickAll(typedIds, messageCandidates(await context.database()));
    const timeZone = await readTimeZone(context);
    context.result(oneOrMany(messages.map(toJson)));
    for (const [index, message] of messages.entries()) {
      if (index > 0) context.print("");
      context.print(`${shortenId(message.id)}  (${message.state})`);
      context.print(`received:  ${shortTimestamp(message.createdAt, timeZone)}`);
      context.print(`about:     ${toSafeLine(message.category)}`);
      context.print(`from:      ${formatSender(message) || "(no name or email address)"}`);
      context.print("");
      for (const line of formatMessage(message).split("\n")) context.print(`  ${line}`);
    }
  },
});

const doneVerb = verb({
  summary: "Mark messages as done.",
  arguments: { id: idArgument },
  options: selectionOptions,
  async run(context, selection) {
    const db = await context.database();
    const messages = await selectSubmissions(
      context,
      "messages done",
      selection,
      messageCandidates(db),
      (count) => `mark ${count} as done`,
    );
    if (messages.length === 0) return;
    const { decided, unchanged } = await decideByCommand(
      { db, clock: context.clock, site: await readCommandSite(context) },
      messages.map(({ id, state }) => ({ kind: "message", id, state })),
      { action: "accept" },
    );
    context.result(oneOrMany(decided));
    for (const { id } of messages)
      context.print(
        unchanged.has(id)
          ? `${shortenId(id)} is already done.`
          : `Marked ${shortenId(id)} as done.`,
      );
  },
});

const messageCandidates = (db: Database) => ({
  noun: "message",
  nouns: "messages",
  listCommand: "messages list --all",
  label: ({ name, message, topic }: Message) =>
    `${name ? `${toSafeLine(name)}: ` : ""}${summarize(message, topic)}`.slice(0, 60),
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

export const messagesCommand: Command = {
  name: "messages",
  group: "Submissions",
  summary: "List and show messages from the contact form, or mark them as done.",
  examples: [
    "messages list",
    "messages list --all",
    "messages show 3f9a1c2b",
    "messages done 3f9a1c2b 77d0e4aa",
    "messages done --all",
  ],
  verbs: { list: listVerb, show: showVerb, done: doneVerb },
};
