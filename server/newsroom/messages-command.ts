import {
  findMessages,
  listMessages,
  type Message,
  markDone,
} from "../../app/features/contact/messages.server.ts";
import { plainLine, plainText } from "../../app/lib/text/plain-text.ts";
import type { Command, Desk } from "./commands.ts";
import { isWholeList, onlyOne, shortId } from "./printing.ts";

export const messagesCommand: Command = {
  name: "messages",
  summary: "Shows what readers wrote to us through the contact form, and notes what is dealt with.",
  usage: "messages list [--all] | show <id> | done <id>",
  examples: ["messages list", "messages list --all", "messages show 3f9a1c2b", "messages done 3f9a1c2b"],
  async run([verb, ...args], desk) {
    if (verb === "list") return list(desk, args);
    const [subject, ...more] = args;
    if (more.length > 0) {
      desk.print("Name one message.");
      return 2;
    }
    switch (verb) {
      case "show":
        return show(desk, subject);
      case "done":
        return done(desk, subject);
      default:
        desk.print("Say one of: list, show, done.");
        return 2;
    }
  },
};

async function list(desk: Desk, args: string[]): Promise<number> {
  const all = isWholeList(desk, args);
  if (all === null) return 2;
  const messages = await listMessages(await desk.database(), all ? ["new", "done"] : ["new"]);
  desk.answer(messages.map(forPrograms));
  if (messages.length === 0) desk.print(all ? "There is no message." : "No message is waiting.");
  else {
    const rows = messages.map(({ id, createdAt, category, name, email, message, state }) => [
      ...[shortId(id), createdAt.toISOString().slice(0, 16).replace("T", " "), category],
      plainLine(name || email || "–").slice(0, 24),
      plainLine(message).slice(0, 50),
      ...(all ? [state] : []),
    ]);
    const head = ["id", "came (UTC)", "about", "from", "begins", ...(all ? ["state"] : [])];
    desk.table(head, rows);
  }
  return 0;
}

async function show(desk: Desk, id: string | undefined): Promise<number> {
  const found = await theMessage(desk, id);
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

async function done(desk: Desk, id: string | undefined): Promise<number> {
  const found = await theMessage(desk, id);
  if (found.kind === "none") return found.exit;
  await markDone(await desk.database(), () => new Date(), found.one.id);
  desk.answer({ id: found.one.id, state: "done" });
  desk.print(`${shortId(found.one.id)} is done.`);
  return 0;
}

async function theMessage(desk: Desk, id: string | undefined) {
  const found = id === undefined ? [] : await findMessages(await desk.database(), id);
  return onlyOne(desk, found, { asked: id, thing: "message", list: "messages list --all" });
}

const forPrograms = ({ key: _own, createdAt, doneAt, name, message, ...rest }: Message) => ({
  ...rest,
  name: plainLine(name),
  message: plainText(message),
  createdAt: createdAt.toISOString(),
  doneAt: doneAt?.toISOString() ?? null,
});
