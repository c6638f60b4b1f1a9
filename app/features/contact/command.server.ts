import { pickOne, shortId } from "../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { findMessages, listMessages, type Message, markDone } from "./messages.server.ts";

const id = {
  required: true,
  description: 'the beginning of the id that "messages list --all" shows',
} as const;

export const messagesCommand: Command = {
  name: "messages",
  group: "Submissions",
  summary: "Shows what readers wrote to us through the contact form, and notes what is dealt with.",
  examples: [
    "messages list",
    "messages list --all",
    "messages show 3f9a1c2b",
    "messages done 3f9a1c2b",
  ],
  verbs: {
    list: verb({
      summary: "Lists the messages that are waiting.",
      options: {
        all: { type: "flag", isBareWord: true, description: "those that are dealt with too" },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    show: verb({
      summary: "Prints a message.",
      arguments: { id },
      run: ({ id: asked }, _options, context) => show(context, asked),
    }),
    done: verb({
      summary: "Notes that a message is dealt with.",
      arguments: { id },
      run: ({ id: asked }, _options, context) => done(context, asked),
    }),
  },
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const messages = await listMessages(await context.database(), all ? ["new", "done"] : ["new"]);
  context.result(messages.map(toJson));
  if (messages.length === 0) context.print(all ? "There is no message." : "No message is waiting.");
  else {
    const rows = messages.map(({ id, createdAt, category, name, email, message, state }) => [
      shortId(id),
      createdAt.toISOString().slice(0, 16).replace("T", " "),
      category,
      toSafeLine(name || email || "–").slice(0, 24),
      toSafeLine(message).slice(0, 50),
      ...(all ? [state] : []),
    ]);
    const head = ["id", "came (UTC)", "about", "from", "begins", ...(all ? ["state"] : [])];
    context.table(head, rows);
  }
  return 0;
}

async function show(context: CommandContext, asked: string): Promise<number> {
  const found = await findMessage(context, asked);
  if (found.kind === "none") return found.exit;
  const { one } = found;
  context.result(toJson(one));
  context.print(`${shortId(one.id)}  (${one.state})`);
  context.print(`came:   ${one.createdAt.toISOString()}`);
  context.print(`about:  ${toSafeLine(one.category)}`);
  context.print(
    `from:   ${[one.name, one.email].map(toSafeLine).filter(Boolean).join(", ") || "no name, no address"}`,
  );
  context.print("");
  for (const line of stripControlCharacters(one.message).split("\n")) context.print(`  ${line}`);
  return 0;
}

async function done(context: CommandContext, asked: string): Promise<number> {
  const found = await findMessage(context, asked);
  if (found.kind === "none") return found.exit;
  await markDone(await context.database(), context.clock, found.one.id);
  context.result({ id: found.one.id, state: "done" });
  context.print(`${shortId(found.one.id)} is done.`);
  return 0;
}

async function findMessage(context: CommandContext, asked: string) {
  const found = await findMessages(await context.database(), asked);
  const label = ({ name, message }: Message) => toSafeLine(`${name}: ${message}`).slice(0, 60);
  return pickOne(context, found, { asked, thing: "message", list: "messages list --all", label });
}

const toJson = ({ key: _own, createdAt, doneAt, name, message, ...rest }: Message) => ({
  ...rest,
  name: toSafeLine(name),
  message: stripControlCharacters(message),
  createdAt: createdAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
