import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { calendarDay } from "../../lib/dates.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { editVerb } from "./edit-command.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { isPast, leftOutReasons } from "./import/read.server.ts";
import {
  deleteImportedEvent,
  findStoredEventsById,
  importedSource,
  storeOccurrences,
} from "./import/store.server.ts";
import { readCalendarInWorker } from "./import/worker-task.server.ts";
import { decide, listSubmissions, type Submission } from "./submissions.server.ts";

const idArgument = {
  required: true,
  description: 'the full id, as "events list --all" shows it',
} as const;

export const eventsCommand: Command = {
  name: "events",
  group: "Submissions",
  summary: "List, edit, approve or reject events that readers sent, or import a calendar file.",
  examples: [
    "events list",
    "events list --all",
    "events approve block-party-3f9a1c",
    'events edit block-party-3f9a1c --title "Block Party on Pier 5" --starts 18:00',
    "events reject block-party-3f9a1c",
    "events import ~/Downloads/season.ics",
  ],
  verbs: {
    list: verb({
      summary: "List the events that are waiting for a decision.",
      options: {
        all: {
          type: "flag",
          worksWithoutDashes: true,
          description: "include approved and rejected events",
        },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    approve: verb({
      summary: "Publish an event that a reader sent.",
      arguments: { id: idArgument },
      run: (args, _options, context) => approve(context, args.id),
    }),
    edit: editVerb,
    reject: verb({
      summary:
        "Reject an event that a reader sent, or remove a published or imported one from the site.",
      arguments: {
        id: {
          ...idArgument,
          description:
            'the id that "events list --all" shows, or the last part of its URL, /events/<id>',
        },
      },
      run: (args, _options, context) => reject(context, args.id),
    }),
    import: verb({
      summary: "Publish the upcoming events of a calendar file and list those that it skips.",
      arguments: { file: { required: true, description: "a calendar file (.ics)" } },
      run: ({ file }, _options, context) => importFile(context, file),
    }),
  },
};

async function list(context: CommandContext, all: boolean): Promise<number> {
  const { timeZone } = await readSiteSettings(context);
  const states = all ? (["waiting", "approved", "rejected"] as const) : (["waiting"] as const);
  const events = await listSubmissions(await context.database(), [...states]);
  context.result(events);
  if (events.length === 0) context.print("No events are waiting.");
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
  const url = `${(await readSiteSettings(context)).origin}/events/${event.id}`;
  context.result({ id, state: "approved", url });
  context.print(`✓ Published: ${url}`);
  return 0;
}

async function reject(context: CommandContext, id: string): Promise<number> {
  const db = await context.database();
  const event = await decide(db, context.clock, id, "rejected");
  if (!event && !(await deleteImportedEvent(db, id))) return explainRefusal(context, id);
  context.result({ id, state: "rejected" });
  context.print(`✓ Removed ${id} from the site.`);
  return 0;
}

/**
 * Explains why the command cannot approve or reject this event: where the event comes from, and
 * what to do there.
 */
async function explainRefusal(context: CommandContext, id: string): Promise<number> {
  const site = await context.readSite([eventsFile, eventsFolder]);
  const { sources } = site.read(eventsFile);
  const isOwnFile = site.readAll(eventsFolder).some((record) => record.id === id);
  const [stored] = await findStoredEventsById(
    await context.database(),
    sources.map((source) => source.id),
    id,
  );
  const source = sources.find((each) => each.id === stored?.source);
  context.print(
    isOwnFile
      ? `✗ "${id}" comes from the file ${join(context.siteFolder, eventsFolder.folder, `${id}.md`)}. It is on the site as long as the file exists. Edit the file, or remove it to remove the event.`
      : source
        ? `✗ "${id}" comes from the calendar of ${source.name}, and the next import would restore it. Ask them to change it, or remove the source "${source.id}" from ${join(context.siteFolder, eventsFile.path)}.`
        : `✗ There is no event "${id}". Run "./newsroom events list --all" to see the events that readers sent.`,
  );
  return 1;
}

/** The maximum number of published events, and also of skipped events, that are listed by title. */
const maxListed = 20;

async function importFile(context: CommandContext, name: string): Promise<number> {
  const path = resolve(context.cwd, name);
  const fail = (text: string) => {
    context.print(`✗ ${text}`);
    return 1;
  };
  const body = await readCalendarFile(path, context);
  if (typeof body === "string") return fail(body);
  const { timeZone, origin } = await readSiteSettings(context);
  const now = context.clock();
  const result = await readCalendarInWorker(context.runInWorker, body, { now, timeZone });
  if (result.kind === "failed") return fail(`Could not read ${path}: it takes ${result.detail}.`);
  if (result.kind === "not-a-calendar") return fail(`${path} is not a calendar file (.ics).`);
  const upcoming = result.occurrences.filter(({ endsAt }) => endsAt >= now);
  // The result includes events that ended in the past few days, because scheduled imports store
  // them.
  const justEnded = result.occurrences
    .filter(({ endsAt }) => endsAt < now)
    .map(({ title, startsAt }) => ({
      title,
      day: calendarDay(startsAt, timeZone),
      reason: "over" as const,
    }));
  const correctable = result.leftOut.filter(({ reason }) => !isPast(reason));
  const past = result.leftOut.filter(({ reason }) => isPast(reason));
  // Events that the editor can correct come first.
  const leftOut = [...correctable, ...justEnded, ...past].map(({ title, day, reason }) => ({
    title: toSafeLine(title),
    day,
    reason: leftOutReasons[reason],
  }));
  const leftOutCount = justEnded.length + result.leftOutCount;
  await storeOccurrences(
    await context.database(),
    { source: importedSource, now, isComplete: false },
    upcoming,
  );
  context.result({
    dates: upcoming.map(({ id, title, startsAt, endsAt }) => ({ id, title, startsAt, endsAt })),
    broken: result.broken,
    leftOut,
    leftOutCount,
    isCut: result.isCut,
  });
  for (const { id, title } of upcoming.slice(0, maxListed))
    context.print(`${origin}/events/${id}  ${toSafeLine(title)}`);
  if (upcoming.length > maxListed) context.print(`… and ${upcoming.length - maxListed} more.`);
  if (leftOutCount > 0) context.print("! Skipped, or imported only in part:");
  for (const { title, day, reason } of leftOut.slice(0, maxListed))
    context.print(
      `    ${title === "" ? "(no title)" : title}${day === null ? "" : `, ${day}`}: ${reason}`,
    );
  if (leftOutCount > maxListed) context.print(`    … and ${leftOutCount - maxListed} more.`);
  if (result.isCut)
    context.print(
      "! The file is too large, or has events more than 13 months ahead. The rest was skipped.",
    );
  if (upcoming.length === 0)
    return fail("Nothing was imported: the file has no upcoming events that can be published.");
  context.print(`✓ Published ${formatCount(upcoming.length, "date", "dates")}.`);
  return 0;
}

/** Returns the content of the file, or a sentence that says why it could not be read. */
async function readCalendarFile(
  path: string,
  { isServing }: CommandContext,
): Promise<Buffer | string> {
  try {
    const stats = await stat(path);
    // Reading from a pipe could block forever.
    return stats.isFile() || stats.isDirectory() ? await readFile(path) : `${path} is not a file.`;
  } catch (error) {
    return fileErrorMessage(error, { path, action: "read", isServing });
  }
}

const readSiteSettings = async (context: CommandContext) =>
  (await context.readSite([siteSettingsFile])).read(siteSettingsFile);
