import { join } from "node:path";
import type { Database } from "../../../../db/database.ts";
import { daysBefore, shortTimestamp } from "../../../lib/dates.ts";
import { formatSender } from "../../../lib/newsroom/printing.ts";
import {
  listAllOption,
  oneOrMany,
  selectionOptions,
  selectSubmissions,
  shortIdHint,
} from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { readCommandSite, readTimeZone } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { eventsFolder } from "../../events/files.server.ts";
import {
  deleteImportedEvent,
  findStoredEvents,
  findStoredEventsById,
  importedSource,
} from "../../events/import/store.server.ts";
import {
  type EventRow,
  findSubmissions,
  listSubmissions,
  shortEventId,
} from "../../events/submissions.server.ts";
import { logCommand } from "../log/log.server.ts";
import {
  decideByCommand,
  reasonOption,
  refuseEmptyReason,
  reportDecision,
} from "./decide-by-command.server.ts";
import { editEventVerb } from "./edit-event-verb.server.ts";
import { importEventsVerb } from "./import-events-verb.server.ts";

const idArgument = {
  repeated: true,
  description: 'the id, as "events list --all" shows it, or the last part of its URL, /events/<id>',
} as const;

/** Imported calendars contain no dates after this many days. */
const maxImportedDays = 400;

const listVerb = verb({
  summary: "List the events that are waiting for a decision.",
  options: listAllOption("include approved, rejected and imported events"),
  async run(context, { all }) {
    const timeZone = await readTimeZone(context);
    const db = await context.database();
    const events = await listSubmissions(
      db,
      all ? ["waiting", "approved", "rejected", "down"] : ["waiting"],
    );
    const now = context.clock();
    const period = { from: now, until: daysBefore(now, -maxImportedDays) };
    const imported = all ? await findStoredEvents(db, [importedSource], period) : [];
    context.result([...events, ...imported.map((event) => ({ ...event, state: "imported" }))]);
    if (events.length === 0)
      context.print(all ? "Readers have not sent any events." : "No events are waiting.");
    for (const event of events) printEvent(event, timeZone, context);
    if (imported.length === 0) return;
    context.print('Imported with "events import":');
    context.table(
      ["id", "when", "title"],
      imported.map(({ id, startsAt, title }) => [id, shortTimestamp(startsAt, timeZone), title]),
    );
  },
});

function printEvent(event: EventRow, timeZone: string, context: CommandContext): void {
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
  const sender = formatSender(event);
  if (sender !== "") context.print(`    from ${sender}`);
  for (const line of stripControlCharacters(event.description).split("\n"))
    context.print(`    | ${line}`);
  context.print("");
}

const approveVerb = verb({
  summary: "Publish events that readers sent. The sender gets an email.",
  arguments: { id: idArgument },
  options: selectionOptions,
  async run(context, selection) {
    const db = await context.database();
    const events = await selectSubmissions(
      context,
      "events approve",
      selection,
      eventCandidates(context, db),
      (count) => `publish ${count}`,
    );
    if (events.length === 0) return;
    const services = { db, clock: context.clock, site: await readCommandSite(context) };
    const outcome = await decideByCommand(services, toChosen(events), { action: "accept" });
    const { origin } = services.site.read(siteSettingsFile);
    const published = outcome.decided.map(({ id, state, path = "" }) => ({
      id,
      state,
      url: origin + path,
    }));
    context.result(oneOrMany(published));
    for (const { id, url } of published)
      context.print(
        outcome.unchanged.has(id) ? `Already published: ${url}` : `✓ Published: ${url}`,
      );
    // In a process of its own, the command leaves the emails to a server's next job.
    if (context.isServing) (await context.services()).mail.wake();
    reportDecision(context, outcome);
  },
});

/** Rejects all the given events, or none if one is not found. */
const rejectVerb = verb({
  summary: "Reject events that readers sent, or remove published or imported ones from the site.",
  arguments: { id: idArgument },
  options: { reason: reasonOption, ...selectionOptions },
  async run(context, { reason, ...selection }) {
    refuseEmptyReason(reason);
    const db = await context.database();
    const candidates = eventCandidates(context, db);
    const find = async (typed: string): Promise<ChosenEvent[]> => {
      const found = await candidates.find(typed);
      return found.length > 0 ? found : findImported(db, typed);
    };
    const events = await selectSubmissions(
      context,
      "events reject",
      selection,
      { ...candidates, find },
      (count) => `reject ${count}`,
    );
    if (events.length === 0) return;
    const sent = events.filter(({ state }) => state !== "imported");
    const services = { db, clock: context.clock, site: await readCommandSite(context) };
    const outcome = await decideByCommand(services, toChosen(sent), {
      action: "reject",
      reason,
    });
    for (const { id, title, state } of events)
      if (state === "imported")
        await db.transaction(async (tx) => {
          if (await deleteImportedEvent(tx, id))
            await logCommand(tx, context.clock, {
              action: "removed",
              kind: "event",
              items: [id],
              title,
            });
        });
    const stateOf = (event: ChosenEvent) =>
      outcome.decided.find(({ id }) => id === event.id)?.state ?? "rejected";
    context.result(oneOrMany(events.map((event) => ({ id: event.id, state: stateOf(event) }))));
    for (const { id, title, state } of events)
      context.print(
        state === "approved" || state === "imported"
          ? `✓ Removed "${toSafeLine(title)}" from the site.`
          : outcome.unchanged.has(id)
            ? `"${toSafeLine(title)}" is already ${state === "down" ? "taken down" : "rejected"}.`
            : `✓ Rejected "${toSafeLine(title)}".`,
      );
    reportDecision(context, outcome, reason);
  },
});

type ChosenEvent = Pick<EventRow, "id" | "title" | "createdAt"> & {
  state: EventRow["state"] | "imported";
  writtenBy?: EventRow["writtenBy"];
};

const toChosen = (events: ChosenEvent[]) =>
  events.map(({ id, state, writtenBy }) => ({ kind: "event" as const, id, state, writtenBy }));

const findImported = async (db: Database, id: string): Promise<ChosenEvent[]> =>
  (await findStoredEventsById(db, [importedSource], [id])).map(({ title, seenAt }) => ({
    id,
    title,
    createdAt: seenAt,
    state: "imported",
  }));

const eventCandidates = (context: CommandContext, db: Database) => ({
  noun: "event",
  nouns: "events",
  listCommand: "events list --all",
  label: ({ title, state }: ChosenEvent) => `${toSafeLine(title).slice(0, 60)} (${state})`,
  shorten: shortEventId,
  find: (typed: string): Promise<ChosenEvent[]> => findSubmissions(db, typed),
  async explainMissing(typed: string) {
    const site = await context.readSite([eventsFolder]);
    const file = join(context.siteFolder, eventsFolder.folder, `${typed}.md`);
    return site.names(eventsFolder).includes(typed)
      ? `✗ "${typed}" is the file ${file}. Edit it, or remove it to remove the event.`
      : `✗ Readers have sent no event "${typed}". ${shortIdHint(typed)}Run "./newsroom events list --all" to see them all. Events of other calendars are changed there.`;
  },
  listWaiting: (): Promise<ChosenEvent[]> => listSubmissions(db, ["waiting"]),
});

export const eventsCommand: Command = {
  name: "events",
  part: "events",
  group: "Submissions",
  summary: "List, edit, approve or reject events that readers sent, or import a calendar file.",
  examples: [
    "events list",
    "events list --all",
    "events approve 3f9a1c 77d0e4",
    'events edit 3f9a1c --title "Block Party on Pier 5" --starts 18:00',
    "events reject 3f9a1c",
    'events reject 3f9a1c --reason "Please send it again with a date."',
    "events reject --all",
    "events import ~/Downloads/season.ics",
  ],
  verbs: {
    list: listVerb,
    approve: approveVerb,
    edit: editEventVerb,
    reject: rejectVerb,
    import: importEventsVerb,
  },
};
