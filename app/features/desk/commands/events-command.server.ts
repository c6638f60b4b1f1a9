import type { Database } from "../../../../db/database.ts";
import { daysBefore, shortTimestamp } from "../../../lib/dates.ts";
import { oneOrMany } from "../../../lib/newsroom/selection.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  deleteImportedEvent,
  findStoredEvents,
  findStoredEventsById,
  importedSource,
} from "../../events/import/store.server.ts";
import { logCommand } from "../log/log.server.ts";
import type { DeskServices } from "../services.ts";
import { reasonOption, refuseEmptyReason } from "./decide-by-command.server.ts";
import { editEventVerb } from "./edit-event-verb.server.ts";
import { importEventsVerb } from "./import-events-verb.server.ts";
import {
  acceptVerb,
  idArgument,
  listVerb,
  rejectVerb,
  selectionOptions,
  showVerb,
} from "./submission-verbs.server.ts";

/** Imported calendars contain no dates after this many days. */
const maxImportedDays = 400;

async function listImported(context: CommandContext, { db, clock, site }: DeskServices) {
  const { timeZone } = site.read(siteSettingsFile);
  const period = { from: clock(), until: daysBefore(clock(), -maxImportedDays) };
  const imported = await findStoredEvents(db, [importedSource], period);
  if (imported.length > 0) {
    context.print('\nImported with "events import":');
    context.table(
      ["id", "when", "title"],
      imported.map(({ id, startsAt, title }) => [id, shortTimestamp(startsAt, timeZone), title]),
    );
  }
  return imported.map((event) => ({ ...event, state: "imported" }));
}

const rejectSentVerb = rejectVerb("event", "Reject events that readers sent.");

/** Rejects what readers sent, and removes imported events. */
const rejectEventsVerb = verb({
  summary: "Reject events that readers sent, or remove published or imported ones from the site.",
  arguments: { id: idArgument("event") },
  options: { reason: reasonOption, ...selectionOptions },
  async run(context, { id: typed, ...options }) {
    refuseEmptyReason(options.reason);
    const db = await context.database();
    const ids = options.all ? [] : typed;
    const imported = await findStoredEventsById(db, [importedSource], ids);
    const sent = typed.filter((id) => !imported.some((event) => event.id === id));
    const results: object[] = [];
    const result = (value: object | object[]) => results.push(...[value].flat());
    // If one of the ids is not found, this ends the command.
    if (imported.length === 0 || sent.length > 0)
      await rejectSentVerb.run({ ...context, result }, { id: sent, ...options });
    for (const { id, title } of imported) {
      const isRemoved = await removeImported(context, db, id, title);
      results.push({ id, state: "rejected" });
      const name = `"${toSafeLine(title)}"`;
      context.print(isRemoved ? `✓ Removed ${name} from the site.` : `${name} is already removed.`);
    }
    if (results.length > 0) context.result(oneOrMany(results));
  },
});

const removeImported = (context: CommandContext, db: Database, id: string, title: string) =>
  db.transaction(async (tx) => {
    const isRemoved = await deleteImportedEvent(tx, id);
    const entry = { action: "removed" as const, kind: "event", items: [id], title };
    if (isRemoved) await logCommand(tx, context.clock, entry);
    return isRemoved;
  });

export const eventsCommand: Command = {
  name: "events",
  part: "events",
  group: "Submissions",
  summary:
    "List, show, edit, approve or reject events that readers sent, or import a calendar file.",
  examples: [
    "events list",
    "events list --all",
    "events show 3f9a1c",
    "events approve 3f9a1c 77d0e4",
    'events edit 3f9a1c --title "Block Party on Pier 5" --starts 18:00',
    "events reject 3f9a1c",
    'events reject 3f9a1c --reason "Please send it again with a date."',
    "events reject --all",
    "events import ~/Downloads/season.ics",
  ],
  verbs: {
    list: listVerb("event", listImported),
    show: showVerb("event"),
    approve: acceptVerb(
      "event",
      "approve",
      "Publish events that readers sent. The sender gets an email.",
    ),
    edit: editEventVerb,
    reject: rejectEventsVerb,
    import: importEventsVerb,
  },
};
