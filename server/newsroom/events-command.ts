import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { readCalendarOutside } from "../../app/features/events/import/outside.server.ts";
import {
  importedSource,
  removeImported,
  storeOccurrences,
} from "../../app/features/events/import/store.server.ts";
import { decide, listSubmissions, type Submission } from "../../app/features/events/submissions.server.ts";
import { plainLine, plainText } from "../../app/lib/text/plain-text.ts";
import { readSite } from "../site/site-files.ts";
import type { Command, Desk } from "./commands.ts";
import { counted, isWholeList } from "./printing.ts";

const actions: Record<string, (rest: string[], desk: Desk) => Promise<number>> = {
  list,
  approve,
  reject,
  import: importFile,
};

export const eventsCommand: Command = {
  name: "events",
  summary: "Shows the events that readers sent, approves or rejects them, brings in a calendar file.",
  usage: "events list [--all] | approve <id> | reject <id> | import <file.ics>",
  examples: [
    "events list",
    "events list --all",
    "events approve block-party-3f9a1c",
    "events reject block-party-3f9a1c",
    "events import ~/Downloads/season.ics",
  ],
  async run([action = "", ...rest], desk) {
    const run = actions[action];
    if ((run === approve || run === reject) && rest.length > 1)
      return unclear(`"events ${action}" takes one at a time.`, desk);
    if (run) return run(rest, desk);
    desk.print(`Say one of: ${Object.keys(actions).join(", ")}.`);
    return 2;
  },
};

async function list(args: string[], desk: Desk): Promise<number> {
  const all = isWholeList(desk, args);
  if (all === null) return 2;
  const { timeZone } = await brandOf(desk);
  const states = all ? (["waiting", "approved", "rejected"] as const) : (["waiting"] as const);
  const events = await listSubmissions(await desk.database(), [...states]);
  desk.answer(events);
  if (events.length === 0) desk.print("No event is waiting.");
  for (const event of events) printEvent(event, timeZone, desk);
  return 0;
}

function printEvent(event: Submission, timeZone: string, desk: Desk): void {
  const when = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "full", timeStyle: "short" });
  desk.print(`${event.id}  (${event.state})`);
  desk.print(`    ${plainLine(event.title)}`);
  desk.print(`    ${when.formatRange(event.startsAt, event.endsAt)}`);
  desk.print(`    ${plainLine(event.location)} · ${event.category}${event.free ? " · free" : ""}`);
  if (event.url) desk.print(`    ${plainLine(event.url)}`);
  if (event.name || event.email)
    desk.print(`    from ${[event.name, event.email].map(plainLine).filter(Boolean).join(", ")}`);
  for (const line of plainText(event.description).split("\n")) desk.print(`    | ${line}`);
  desk.print("");
}

async function approve([id]: string[], desk: Desk): Promise<number> {
  if (id === undefined) return unclear('Which one? "events list" shows what is waiting.', desk);
  const event = await decide(await desk.database(), () => new Date(), id, "approved");
  if (!event) return unknown(id, desk);
  const url = `${(await brandOf(desk)).origin}/events/${event.id}`;
  desk.answer({ id, state: "approved", url });
  desk.print(`✓ On the site: ${url}`);
  return 0;
}

async function reject([id]: string[], desk: Desk): Promise<number> {
  if (id === undefined) return unclear('Which one? "events list" shows what is waiting.', desk);
  const db = await desk.database();
  const event = await decide(db, () => new Date(), id, "rejected");
  if (!event && !(await removeImported(db, id))) return unknown(id, desk);
  desk.answer({ id, state: "rejected" });
  desk.print(`✓ ${id} is not on the site.`);
  return 0;
}

async function importFile(args: string[], desk: Desk): Promise<number> {
  const [name, ...more] = args;
  if (name === undefined) return unclear("Which file? Say: events import <file.ics>", desk);
  const option = args.find((word) => word.startsWith("-"));
  if (option !== undefined) return unclear(`events import has no option "${option}".`, desk);
  if (more.length > 0) return unclear("Name one file. A name with a blank in it needs quotes.", desk);
  const path = resolve(desk.cwd, name);
  // A pipe would be waited for without end.
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  const body = isFile ? await readFile(path).catch(() => null) : null;
  if (!body) return wrong(`There is no file ${path}, or it cannot be read.`, desk);
  const { timeZone, origin } = await brandOf(desk);
  const now = new Date();
  const read = await readCalendarOutside(desk.outside, body, { now, timeZone });
  if (read.kind === "failed") return wrong(`${path} cannot be read: that takes ${read.detail}.`, desk);
  if (read.kind === "not-a-calendar") return wrong(`${path} is not a calendar (.ics).`, desk);
  const coming = read.occurrences.filter(({ endsAt }) => endsAt >= now);
  await storeOccurrences(await desk.database(), { source: importedSource, now, isWhole: false }, coming);
  desk.answer({
    dates: coming.map(({ id, title, startsAt, endsAt }) => ({ id, title, startsAt, endsAt })),
    broken: read.broken,
    isCut: read.isCut,
  });
  for (const { id, title } of coming.slice(0, 20)) desk.print(`${origin}/events/${id}  ${title}`);
  if (coming.length > 20) desk.print(`… and ${coming.length - 20} more.`);
  if (read.broken > 0)
    desk.print(
      `Left out, because it could not be understood: ${counted(read.broken, "line or event", "lines or events")}.`,
    );
  if (read.isCut)
    desk.print("The file holds more than a year and a month, or more than we take; the rest is left out.");
  if (coming.length === 0)
    return wrong("✗ Nothing was imported: the file has no event from today on that can be shown.", desk);
  desk.print(`✓ ${counted(coming.length, "date is", "dates are")} on the site.`);
  return 0;
}

const brandOf = async (desk: Desk) => (await readSite(desk.siteFolder, [brandFile])).read(brandFile);

function say(code: number) {
  return (text: string, desk: Desk): number => {
    desk.print(text);
    return code;
  };
}
const wrong = say(1);
const unclear = say(2);
const unknown = (id: string, desk: Desk) =>
  wrong(`There is no event "${id}". "events list --all" shows all.`, desk);
