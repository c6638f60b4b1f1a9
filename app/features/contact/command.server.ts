import { pickOne, shortenId } from "../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { findMessages, listMessages, type Message, markDone } from "./messages.server.ts";

const id = {
  required: true,
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
    "messages done 3f9a1c2b",
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
      summary: "Print a message.",
      arguments: { id },
      run: (args, _options, context) => show(context, args.id),
    }),
    done: verb({
      summary: "Mark a message as done.",
      arguments: { id },
      run: (args, _options, context) => markAsDone(context, args.id),
    }),
  },
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const messages = await listMessages(await context.database(), all ? ["new", "done"] : ["new"]);
  context.result(messages.map(toJson));
  if (messages.length === 0)
    context.print(all ? "There are no messages." : "No messages are waiting.");
  else {
    const rows = messages.map(({ id, createdAt, category, name, email, message, state }) => [
      shortenId(id),
      createdAt.toISOString().slice(0, 16).replace("T", " "),
      category,
      toSafeLine(name || email || "–").slice(0, 24),
      toSafeLine(message).slice(0, 50),
      ...(all ? [state] : []),
    ]);
    const head = ["id", "received (UTC)", "about", "from", "message", ...(all ? ["state"] : [])];
    context.table(head, rows);
  }
  return 0;
}

async function show(context: CommandContext, typedId: string): Promise<number> {
  const found = await findMessage(context, typedId);
  if (found.kind === "none") return found.exit;
  const { one } = found;
  context.result(toJson(one));
  context.print(`${shortenId(one.id)}  (${one.state})`);
  context.print(`received:  ${one.createdAt.toISOString()}`);
  context.print(`about:     ${toSafeLine(one.category)}`);
  context.print(
    `from:      ${[one.name, one.email].map(toSafeLine).filter(Boolean).join(", ") || "(no name or email address)"}`,
  );
  context.print("");
  for (const line of stripControlCharacters(one.message).split("\n")) context.print(`  ${line}`);
  return 0;
}

async function markAsDone(context: CommandContext, typedId: string): Promise<number> {
  const found = await findMessage(context, typedId);
  if (found.kind === "none") return found.exit;
  await markDone(await context.database(), context.clock, found.one.id);
  context.result({ id: found.one.id, state: "done" });
  context.print(`Marked ${shortenId(found.one.id)} as done.`);
  return 0;
}

async function findMessage(context: CommandContext, typedId: string) {
  const found = await findMessages(await context.database(), typedId);
  const label = ({ name, message }: Message) => toSafeLine(`${name}: ${message}`).slice(0, 60);
  return pickOne(context, found, {
    typed: typedId,
    noun: "message",
    listCommand: "messages list --all",
    label,
  });
}

const toJson = ({ key: _key, createdAt, doneAt, name, message, ...rest }: Message) => ({
  ...rest,
  name: toSafeLine(name),
  message: stripControlCharacters(message),
  createdAt: createdAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
