import { eq } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { lockRow } from "../../../../db/rows.ts";
import { calendarDay, shortTimestamp } from "../../../lib/dates.ts";
import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { readTextFile } from "../../../lib/newsroom/file-errors.server.ts";
import { pickAll } from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import {
  type EventFields,
  publishedListStates,
  readEventFields,
  toFormValues,
} from "../../events/desk-events.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import {
  changeSubmittedEvent,
  type EventRow,
  type EventValues,
  eventForm,
  shortEventId,
} from "../../events/submissions.server.ts";
import { publishEvent } from "../kinds/event.server.ts";
import { commandEditor, writeLog } from "../log/log.server.ts";
import type { DeskServices } from "../services.ts";
import { lockDraftOf } from "../write/draft-of-item.server.ts";
import { candidatesOf } from "./submission-verbs.server.ts";

export const editEventVerb = verb({
  summary: "Change an event that a reader sent, before or after you approve it.",
  arguments: {
    id: { required: true, description: 'the id that "events list --all" shows' },
  },
  options: {
    title: { type: "string", value: "title", description: "a new title" },
    location: { type: "string", value: "location", description: "a new place" },
    day: { type: "string", value: "day", description: "a new day, such as 2026-12-05" },
    starts: { type: "string", value: "time", description: "a new start, such as 17:30" },
    ends: { type: "string", value: "time", description: 'a new end, such as 19:30; "" for none' },
    category: { type: "string", value: "category", description: "a category of events.yaml" },
    free: { type: "string", value: "yes or no", description: "whether admission is free" },
    url: { type: "string", value: "url", description: 'a new link; "" for none' },
    text: { type: "string", value: "file", description: "a file with the edited description" },
  },
  async run(context, { id, ...options }) {
    const { text, free, ...typed } = options;
    if (Object.values(options).every((value) => value === undefined))
      refuseCommand('Say what to change, for example: --title "Block Party on Pier 5".');
    if (free !== undefined && free !== "yes" && free !== "no")
      refuseCommand("--free must be yes or no.");
    const db = await context.database();
    const [event] = await pickAll([id], candidatesOf(context, db, "event"));
    if (!event) return;
    const site = await context.readSite([siteSettingsFile, eventsFile]);
    const { timeZone, origin } = site.read(siteSettingsFile);
    const categories = site.read(eventsFile).categories.map(({ name }) => name);
    const typedFields = {
      ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined)),
      ...(text !== undefined && {
        description: stripControlCharacters(await readTextFile(context, text)).trim(),
      }),
      ...(free !== undefined && { free: free === "yes" ? "on" : "" }),
    };
    const { schema } = eventForm(categories, calendarDay(context.clock(), timeZone));
    const read = (fields: EventFields) => {
      const parsed = schema.safeParse({ ...toFormValues(fields), ...typedFields });
      if (parsed.success) return parsed.data;
      return refuseCommand(
        parsed.error.issues
          .map(({ path: [field], message }) =>
            field === "category"
              ? `✗ --category: Please choose one of these: ${categories.join(", ")}.`
              : `✗ --${field === "description" ? "text" : String(field)}: ${message}`,
          )
          .join("\n"),
      );
    };
    const services = { site, clock: context.clock };
    const { state, title } = await db.transaction((tx) =>
      changeEvent(tx, services, event.id, read),
    );
    context.result({ id: event.id, state, title });
    const next =
      state === "approved"
        ? `It is at ${origin}/events/${event.id}.`
        : `To publish it: ./newsroom events approve ${shortEventId(event.id)}`;
    context.print(`✓ Changed "${toSafeLine(title)}". ${next}`);
  },
});

/**
 * Changes an event as it is stored now. One that is or was on the site gets a version, and its draft
 * gets the change too.
 */
async function changeEvent(
  tx: Database,
  services: Pick<DeskServices, "site" | "clock">,
  id: string,
  read: (fields: EventFields) => EventValues,
): Promise<{ state: EventRow["state"]; title: string }> {
  const { timeZone } = services.site.read(siteSettingsFile);
  await lockDraftOf(tx, "event", id);
  const row = await lockRow(tx, eventSubmissions, eq(eventSubmissions.id, id));
  if (!row) return refuseCommand("Nothing was changed, because the event was just deleted.");
  const { state, createdAt } = row;
  const values = read(readEventFields(row, timeZone));
  const { title } = values;
  if (publishedListStates.includes(state)) {
    const fields = { ...values, free: values.free === "on" };
    const change = { row, fields, state, editor: commandEditor, action: "edited" as const };
    const result = await publishEvent(services, tx, change);
    if (result.kind === "refused") refuseCommand(Object.values(result.errors).join("\n"));
    return { state, title };
  }
  await changeSubmittedEvent(tx, timeZone, id, values);
  await writeLog(tx, services.clock, commandEditor, {
    action: "edited",
    kind: "event",
    items: [id],
    // The log is stored longer than what readers send and we do not publish.
    title: `received ${shortTimestamp(createdAt, timeZone)}`,
  });
  return { state, title };
}
