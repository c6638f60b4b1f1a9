import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Database } from "../../../db/database.ts";
import { calendarDay, daysBefore, shortTimestamp } from "../../lib/dates.ts";
import { fileErrorMessage } from "../../lib/newsroom/file-errors.server.ts";
import { formatCount } from "../../lib/newsroom/printing.ts";
import {
  oneOrMany,
  type SelectionOptions,
  selectionOptions,
  selectSubmissions,
} from "../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../platform/command.ts";
import { readBrandFiles } from "../brand/command-site.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { reasonOption, refuseEmptyReason, reportSenders } from "../forms/decisions.server.ts";
import { editVerb } from "./edit-command.server.ts";
import { eventsFile, eventsFolder } from "./files.server.ts";
import { isPast, leftOutReasons } from "./import/read.server.ts";
import {
  deleteImportedEvent,
  findStoredEvents,
  findStoredEventsById,
  importedSource,
  storeOccurrences,
} from "./import/store.server.ts";
import { readCalendarInWorker } from "./import/worker-task.server.ts";
import {
  decide,
  findSubmissions,
  listSubmissions,
  type Submission,
  shortEventId,
} from "./submissions.server.ts";

const idArgument = {
  repeated: true,
  description: 'the id, as "events list --all" shows it, or the last part of its URL, /events/<id>',
} as const;

export const eventsCommand: Command = {
  name: "events",
  group: "Submissions",
  summary: "List, edit, approve or reject events that readers sent, or import a calendar file.",
  examples: [
    "events list",
    "events list --all",
    "events approve 3f9a1c 77d0e4",
    'events edit 3f9a1c --title "Block Party on Pier 5" --starts 18:00',
    "events reject 3f9a1c",
    'events reject 3f9a1c --reason "Please send it again with a date."',
    "events reject --all --older 2d --dry-run",
    "events import ~/Downloads/season.ics",
  ],
  verbs: {
    list: verb({
      summary: "List the events that are waiting for a decision.",
      options: {
        all: {
          type: "flag",
          worksWithoutDashes: true,
          description: "include approved, rejected and imported events",
        },
      },
      run: (_args, { all }, context) => list(context, all),
    }),
    approve: verb({
      summary: "Publish events that readers sent. The sender gets an email.",
      arguments: { id: idArgument },
      options: selectionOptions,
      run: (args, options, context) => approve(context, args.id, options),
    }),
    edit: editVerb,
    reject: verb({
      summary:
        "Reject events that readers sent, or remove published or imported ones from the site.",
      arguments: { id: idArgument },
      options: { reason: reasonOption, ...selectionOptions },
      run: (args, options, context) => reject(context, args.id, options),
    }),
    import: verb({
      summary: "Publish the upcoming events of a calendar file and list those that it skips.",
      arguments: { file: { required: true, description: "a calendar file (.ics)" } },
      run: ({ file }, _options, context) => importFile(context, file),
    }),
  },
};

/** Imported calendars contain no dates after this many days. */
const maxImportedDays = 400;

async function list(context: CommandContext, all: boolean): Promise<number> {
  const { timeZone } = (await readBrandFiles(context)).read(siteSettingsFile);
  const db = await context.database();
  const events = await listSubmissions(db, all ? ["waiting", "approved", "rejected"] : ["waiting"]);
  const now = context.clock();
  const imported = all
    ? await findStoredEvents(db, [importedSource], {
        from: now,
        until: daysBefore(now, -maxImportedDays),
      })
    : [];
  context.result([...events, ...imported.map((event) => ({ ...event, state: "imported" }))]);
  if (events.length === 0)
    context.print(all ? "Readers have not sent any events." : "No events are waiting.");
  for (const event of events) printEvent(event, timeZone, context);
  if (imported.length > 0) {
    context.print('Imported with "events import":');
    context.table(
      ["id", "when", "title"],
      imported.map(({ id, startsAt, title }) => [id, shortTimestamp(startsAt, timeZone), title]),
    );
  }
  return 0;
}

function printEvent(event: Submission, timeZone: string, context: CommandContext): void {
  const when = new Intl.DateTimeFormat("en-US", {
    timeZone,
    dateStyle: "full",
    timeStyle: "short",
  });
  context.print(
    `${shortEventId(event.id)}  (${event.state})  received ${shortTimestamp(event.createdAt, timeZone)}`,
  );
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

async function approve(
  context: CommandContext,
  typedIds: string[],
  options: SelectionOptions,
): Promise<number> {
  const db = await context.database();
  const site = await readBrandFiles(context);
  const events = await selectSubmissions(context, "events approve", typedIds, options, {
    ...subject(context, db),
    describeAction: (count) => `publish ${count}`,
  });
  if (typeof events === "number") return events;
  const decided = await decide(db, { clock: context.clock, site }, events, { state: "approved" });
  if (!decided) return refuseDeleted(context);
  const { origin } = site.read(siteSettingsFile);
  const urls = decided.before.map(({ id }) => ({ id, url: `${origin}/events/${id}` }));
  context.result(oneOrMany(urls.map(({ id, url }) => ({ id, state: "approved", url }))));
  for (const { url } of urls) context.print(`✓ Published: ${url}`);
  await reportSenders(context, decided.senders);
  return 0;
}

/** Rejects all the given events, or none of them if one is not found. */
async function reject(
  context: CommandContext,
  typedIds: string[],
  { reason, ...options }: SelectionOptions & { reason: string | undefined },
): Promise<number> {
  const refusal = refuseEmptyReason(context, reason);
  if (refusal !== null) return refusal;
  const db = await context.database();
  const site = await readBrandFiles(context);
  const readers = subject(context, db);
  const events = await selectSubmissions(context, "events reject", typedIds, options, {
    ...readers,
    describeAction: (count) => `reject ${count}`,
    async find(typed): Promise<ListedEvent[]> {
      const found = await readers.find(typed);
      return found.length > 0 ? found : findImported(db, typed);
    },
  });
  if (typeof events === "number") return events;
  const [imported, sent] = [true, false].map((isImported) =>
    events.filter((event) => (event.state === "imported") === isImported),
  );
  const decided = await decide(db, { clock: context.clock, site }, sent ?? [], {
    state: "rejected",
    reason,
  });
  if (!decided) return refuseDeleted(context);
  for (const { id } of imported ?? []) await deleteImportedEvent(db, id);
  context.result(oneOrMany(events.map(({ id }) => ({ id, state: "rejected" }))));
  for (const { title, state } of events)
    context.print(
      state === "approved" || state === "imported"
        ? `✓ Removed "${toSafeLine(title)}" from the site.`
        : `✓ Rejected "${toSafeLine(title)}".`,
    );
  await reportSenders(context, decided.senders, reason);
  return 0;
}

function refuseDeleted(context: CommandContext): number {
  context.print(
    "Nothing was changed, because somebody else has just decided about one of the events. Try again.",
  );
  return 1;
}

/** A reader's event, or one that an editor imported. */
type ListedEvent = Pick<Submission, "id" | "title" | "createdAt"> & {
  state: Submission["state"] | "imported";
};

const findImported = async (db: Database, id: string): Promise<ListedEvent[]> =>
  (await findStoredEventsById(db, [importedSource], id)).map(({ title, seenAt }) => ({
    id,
    title,
    createdAt: seenAt,
    state: "imported",
  }));

const subject = (context: CommandContext, db: Database) => ({
  noun: "event",
  nouns: "events",
  listCommand: "events list --all",
  label: ({ title, state }: ListedEvent) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortEventId,
  find: (typed: string): Promise<ListedEvent[]> => findSubmissions(db, typed),
  explainMissing: (typed: string) => explainMissing(context, typed),
  listWaiting: (): Promise<ListedEvent[]> => listSubmissions(db, ["waiting"]),
});

/**
 * Explains why the command cannot approve or reject this event: where the event comes from, and
 * what to do there.
 */
async function explainMissing(context: CommandContext, id: string): Promise<string> {
  const site = await context.readSite([eventsFile, eventsFolder]);
  const { sources } = site.read(eventsFile);
  if (site.readAll(eventsFolder).some((record) => record.id === id))
    return `✗ "${id}" comes from the file ${join(context.siteFolder, eventsFolder.folder, `${id}.md`)}. It is on the site as long as the file exists. Edit the file, or remove it to remove the event.`;
  const [stored] = await findStoredEventsById(
    await context.database(),
    [importedSource, ...sources.map((source) => source.id)],
    id,
  );
  if (stored?.source === importedSource)
    return `✗ "${id}" was imported from a file, so it is on the site already.`;
  const source = sources.find((each) => each.id === stored?.source);
  return source
    ? `✗ "${id}" comes from the calendar of ${source.name}, and the next import would restore it. Ask them to change it, or remove the source "${source.id}" from ${join(context.siteFolder, eventsFile.path)}.`
    : `✗ There is no event "${id}". Run "./newsroom events list --all" to see the events that readers sent.`;
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
  const { timeZone, origin } = (await readBrandFiles(context)).read(siteSettingsFile);
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
