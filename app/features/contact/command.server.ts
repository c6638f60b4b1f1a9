import { onlyOne, shortId } from "../../lib/newsroom/printing.ts";
import { plainLine, plainText } from "../../lib/text/plain-text.ts";
import { type Command, type Desk, verb } from "../../platform/command.ts";
import { findMessages, listMessages, type Message, markDone } from "./messages.server.ts";

const id = {
  required: true,
  description: 'the beginning of the id that "messages list --all" shows',
} as const;

export const messagesCommand: Command = {
  name: "messages",
  task: "What readers sent",
  summary: "Shows what readers wrote to us through the contact form, and notes what is dealt with.",
  examples: ["messages list", "messages list --all", "messages show 3f9a1c2b", "messages done 3f9a1c2b"],
  verbs: {
    list: verb({
      summary: "Lists the messages that are waiting.",
      options: { all: { type: "flag", isBareWord: true, description: "those that are dealt with too" } },
      run: (_args, { all }, desk) => list(desk, all),
    }),
    show: verb({
      summary: "Prints a message.",
      arguments: { id },
      run: ({ id: asked }, _options, desk) => show(desk, asked),
    }),
    done: verb({
      summary: "Notes that a message is dealt with.",
      arguments: { id },
      run: ({ id: asked }, _options, desk) => done(desk, asked),
    }),
  },
};

async function list(desk: Desk, all: boolean): Promise<number> {
  const messages = await listMessages(await desk.database(), all ? ["new", "done"] : ["new"]);
  desk.answer(messages.map(forPrograms));
  if (messages.length === 0) desk.print(all ? "There is no message." : "No message is waiting.");
  else {
    const rows = messages.map(({ id, createdAt, category, name, email, message, state }) => [
      shortId(id),
      createdAt.toISOString().slice(0, 16).replace("T", " "),
      category,
      plainLine(name || email || "–").slice(0, 24),
      plainLine(message).slice(0, 50),
      ...(all ? [state] : []),
    ]);
    const head = ["id", "came (UTC)", "about", "from", "begins", ...(all ? ["state"] : [])];
    desk.table(head, rows);
  }
  return 0;
}

async function show(desk: Desk, asked: string): Promise<number> {
  const found = await findMessage(desk, asked);
  if (found.kind === "none") return found.exit;
  const { one } = found;
  desk.answer(forPrograms(one));
  desk.print(`${shortId(one.id)}  (${one.state})`);
  desk.print(`came:   ${one.createdAt.toISOString()}`);
  desk.print(`about:  ${plainLine(one.category)}`);
  desk.print(
    `from:   ${[one.name, one.email].map(plainLine).filter(Boolean).join(", ") || "no name, no address"}`,
  );
  desk.print("");
  for (const line of plainText(one.message).split("\n")) desk.print(`  ${line}`);
  return 0;
}

async function done(desk: Desk, asked: string): Promise<number> {
  const found = await findMessage(desk, asked);
  if (found.kind === "none") return found.exit;
  await markDone(await desk.database(), desk.clock, found.one.id);
  desk.answer({ id: found.one.id, state: "done" });
  desk.print(`${shortId(found.one.id)} is done.`);
  return 0;
}

async function findMessage(desk: Desk, asked: string) {
  const found = await findMessages(await desk.database(), asked);
  const label = ({ name, message }: Message) => plainLine(`${name}: ${message}`).slice(0, 60);
  return onlyOne(desk, found, { asked, thing: "message", list: "messages list --all", label });
}

const forPrograms = ({ key: _own, createdAt, doneAt, name, message, ...rest }: Message) => ({
  ...rest,
  name: plainLine(name),
  message: plainText(message),
  createdAt: createdAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
