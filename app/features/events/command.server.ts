import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { calendarDay } from "../../lib/dates.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { brandFile } from "../brand/files.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { isPast, leftOutReasons } from "./import/read.server.ts";
import {
  deleteImportedEvent,
  importedSource,
  storedEventsById,
  storeOccurrences,
} from "./import/store.server.ts";
import { readCalendarInWorker } from "./import/worker-task.server.ts";
import { decide, listSubmissions, type Submission } from "./submissions.server.ts";

const id = { required: true, description: 'the whole id that "events list --all" shows' } as const;

export const eventsCommand: Command = {
  name: "events",
  group: "Submissions",
  summary: "Shows the events that readers sent, approves or rejects them, imports a calendar file.",
  examples: [
    "events list",
    "events list --all",
    "events approve block-party-3f9a1c",
    "events reject block-party-3f9a1c",
    "events import ~/Downloads/season.ics",
  ],
  verbs: {
    list: verb({
      summary: "Lists the events that are waiting.",
      options: {
        all: { type: "flag", isBareWord: true, description: "approved and rejected ones too" },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    approve: verb({
      summary: "Publishes an event that a reader sent.",
      arguments: { id },
      run: ({ id: asked }, _options, context) => approve(context, asked),
    }),
    reject: verb({
      summary: "Removes an event that a reader sent, or that was imported, from the site.",
      arguments: {
        id: { ...id, description: "the id: the end of the event's address, /events/<id>" },
      },
      run: ({ id: asked }, _options, context) => reject(context, asked),
    }),
    import: verb({
      summary:
        "Publishes the coming events of a calendar file, and names those that it leaves out.",
      arguments: { file: { required: true, description: "a calendar file (.ics)" } },
      run: ({ file }, _options, context) => importFile(context, file),
    }),
  },
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const { timeZone } = await readBrand(context);
  const states = all ? (["waiting", "approved", "rejected"] as const) : (["waiting"] as const);
  const events = await listSubmissions(await context.database(), [...states]);
  context.result(events);
  if (events.length === 0) context.print("No event is waiting.");
  for (const event of events) printEvent(event, timeZone, context);
  return 0;
}

function printEvent(event: Submission, timeZone: string, context: CommandContext): void {
  const when = new Intl.DateTimeFormat("en-US", {
    timeZone,
    dateStyle: "full",
    timeStyle: "short",
  });
  context.print(`${event.id}  (${event.state})`);
  context.print(`    ${toSafeLine(event.title)}`);
  context.print(`    ${when.formatRange(event.startsAt, event.endsAt)}`);
  context.print(
    `    ${toSafeLine(event.location)} · ${event.category}${event.free ? " · free" : ""}`,
  );
  if (event.url) context.print(`    ${toSafeLine(event.url)}`);
  if (event.name || event.email)
    context.print(
      `    from ${[event.name, event.email].map(toSafeLine).filter(Boolean).join(", ")}`,
    );
  for (const line of stripControlCharacters(event.description).split("\n"))
    context.print(`    | ${line}`);
  context.print("");
}

async function approve(context: CommandContext, id: string): Promise<number> {
  const event = await decide(await context.database(), context.clock, id, "approved");
  if (!event) return explainRefusal(context, id);
  const url = `${(await readBrand(context)).origin}/events/${event.id}`;
  context.result({ id, state: "approved", url });
  context.print(`✓ On the site: ${url}`);
  return 0;
}

async function reject(context: CommandContext, id: string): Promise<number> {
  const db = await context.database();
  const event = await decide(db, context.clock, id, "rejected");
  if (!event && !(await deleteImportedEvent(db, id))) return explainRefusal(context, id);
  context.result({ id, state: "rejected" });
  context.print(`✓ ${id} is not on the site.`);
  return 0;
}

/**
 * Says why this event is not for a command to decide on: where it comes from, and what to do there.
 */
async function explainRefusal(context: CommandContext, id: string): Promise<number> {
  const site = await context.readSite([eventsFile, eventsFolder]);
  const { sources } = site.read(eventsFile);
  const isOurs = site.readAll(eventsFolder).some((record) => record.id === id);
  const [stored] = await storedEventsById(
    await context.database(),
    sources.map((source) => source.id),
    id,
  );
  const source = sources.find((each) => each.id === stored?.source);
  context.print(
    isOurs
      ? `✗ "${id}" is the file ${join(context.siteFolder, eventsFolder.folder, `${id}.md`)}. It is on the site as long as the file is there: edit it, or remove it to take the event off the site.`
      : source
        ? `✗ "${id}" comes from the calendar of ${source.name}, and would come back with its next visit. Ask them to change it, or remove the calendar "${source.id}" from ${join(context.siteFolder, eventsFile.path)}.`
        : `There is no event "${id}". "events list --all" shows all.`,
  );
  return 1;
}

/** As many are named, of those that are published and of those that are left out. */
const maxListed = 20;

async function importFile(context: CommandContext, name: string): Promise<number> {
  const path = resolve(context.cwd, name);
  const fail = (text: string) => {
    context.print(`✗ ${text}`);
    return 1;
  };
  const body = await readCalendarFile(path, context);
  if (typeof body === "string") return fail(body);
  const { timeZone, origin } = await readBrand(context);
  const now = context.clock();
  const read = await readCalendarInWorker(context.runInWorker, body, { now, timeZone });
  if (read.kind === "failed") return fail(`${path} cannot be read: that takes ${read.detail}.`);
  if (read.kind === "not-a-calendar") return fail(`${path} is not a calendar (.ics).`);
  const coming = read.occurrences.filter(({ endsAt }) => endsAt >= now);
  // The reader keeps what was over a few days ago, for calendars that are asked by the clock.
  const over = read.occurrences
    .filter(({ endsAt }) => endsAt < now)
    .map(({ title, startsAt }) => ({
      title,
      day: calendarDay(startsAt, timeZone),
      reason: "over" as const,
    }));
  const faulty = read.leftOut.filter(({ reason }) => !isPast(reason));
  const older = read.leftOut.filter(({ reason }) => isPast(reason));
  // What somebody can correct comes first.
  const leftOut = [...faulty, ...over, ...older].map(({ title, day, reason }) => ({
    title: toSafeLine(title),
    day,
    reason: leftOutReasons[reason],
  }));
  const leftOutCount = over.length + read.leftOutCount;
  await storeOccurrences(
    await context.database(),
    { source: importedSource, now, isWhole: false },
    coming,
  );
  context.result({
    dates: coming.map(({ id, title, startsAt, endsAt }) => ({ id, title, startsAt, endsAt })),
    broken: read.broken,
    leftOut,
    leftOutCount,
    isCut: read.isCut,
  });
  for (const { id, title } of coming.slice(0, maxListed))
    context.print(`${origin}/events/${id}  ${toSafeLine(title)}`);
  if (coming.length > maxListed) context.print(`… and ${coming.length - maxListed} more.`);
  if (leftOutCount > 0) context.print("! Left out, or used only in part:");
  for (const { title, day, reason } of leftOut.slice(0, maxListed))
    context.print(
      `    ${title === "" ? "(no title)" : title}${day === null ? "" : `, ${day}`}: ${reason}`,
    );
  if (leftOutCount > maxListed) context.print(`    … and ${leftOutCount - maxListed} more.`);
  if (read.isCut)
    context.print(
      "The file holds more than a year and a month, or more than we take; the rest is left out.",
    );
  if (coming.length === 0)
    return fail("Nothing was imported: the file has no event from today on that can be shown.");
  context.print(`✓ ${formatCount(coming.length, "date is", "dates are")} on the site.`);
  return 0;
}

/** The content of the file, or a sentence that says why it cannot be read. */
async function readCalendarFile(
  path: string,
  { isServing }: CommandContext,
): Promise<Buffer | string> {
  try {
    const found = await stat(path);
    // A pipe would be waited for without end.
    return found.isFile() || found.isDirectory() ? await readFile(path) : `${path} is not a file.`;
  } catch (error) {
    return fileErrorMessage(error, { path, done: "read", isServing });
  }
}

const readBrand = async (context: CommandContext) =>
  (await context.readSite([brandFile])).read(brandFile);
