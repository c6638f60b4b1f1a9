import { calendarDay, shortTimestamp } from "../../../lib/dates.ts";
import { refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { readTextFile } from "../../../lib/newsroom/file-errors.server.ts";
import { pickAll } from "../../../lib/newsroom/selection.ts";
import { stripControlCharacters, toSafeLine } from "../../../lib/text/plain-text.ts";
import { verb } from "../../../platform/command.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { readEventFields, toFormValues } from "../../events/desk-events.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import {
  changeSubmittedEvent,
  type EventRow,
  eventForm,
  findSubmissions,
  shortEventId,
} from "../../events/submissions.server.ts";

import { commandEditor, writeLog } from "../log/log.server.ts";

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
    const [event] = await pickAll([id], {
      noun: "reader's event",
      listCommand: "events list --all",
      label: ({ title }: EventRow) => toSafeLine(title),
      shorten: shortEventId,
      find: (typedId: string) => findSubmissions(db, typedId),
    });
    if (!event) return;
    const site = await context.readSite([siteSettingsFile, eventsFile]);
    const { timeZone, origin } = site.read(siteSettingsFile);
    const categories = site.read(eventsFile).categories.map(({ name }) => name);
    const description =
      text === undefined
        ? event.description
        : stripControlCharacters(await readTextFile(context, text)).trim();
    const { schema } = eventForm(categories, calendarDay(context.clock(), timeZone));
    const parsed = schema.safeParse({
      ...toFormValues(readEventFields(event, timeZone)),
      description,
      ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined)),
      ...(free === undefined ? {} : { free: free === "yes" ? "on" : "" }),
    });
    if (!parsed.success)
      refuseCommand(
        parsed.error.issues
          .map(({ path: [field], message }) =>
            field === "category"
              ? `✗ --category: Please choose one of these: ${categories.join(", ")}.`
              : `✗ --${field === "description" ? "text" : String(field)}: ${message}`,
          )
          .join("\n"),
      );
    const { title } = parsed.data;
    await db.transaction(async (tx) => {
      await changeSubmittedEvent(tx, timeZone, event.id, parsed.data);
      await writeLog(tx, context.clock, commandEditor, {
        action: "edited",
        kind: "event",
        items: [event.id],
        // The log is stored longer than what readers send and we do not publish.
        title:
          event.state === "approved"
            ? title
            : `received ${shortTimestamp(event.createdAt, timeZone)}`,
      });
    });
    context.result({ id: event.id, state: event.state, title });
    const next =
      event.state === "approved"
        ? `It is at ${origin}/events/${event.id}.`
        : `To publish it: ./newsroom events approve ${shortEventId(event.id)}`;
    context.print(`✓ Changed "${toSafeLine(title)}". ${next}`);
  },
});
