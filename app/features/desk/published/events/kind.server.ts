import { eq } from "drizzle-orm";
import { shortTimestamp } from "../../../../lib/dates.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { changeEventState, eventFields, lockEvent } from "../../../events/desk-events.server.ts";
import { eventsFile, eventsFolder } from "../../../events/files.server.ts";
import { findStoredEventsById, importedSource } from "../../../events/import/store.server.ts";
import { nextDate } from "../../../events/listing/file-events.server.ts";
import { eventSubmissions } from "../../../events/schema.server.ts";
import { changeFileNote, readFileNotes } from "../../../file-notes/notes.server.ts";
import type { ItemServices, PublishedKind } from "../kind.ts";
import { publishEvent } from "../publish.server.ts";
import { describeOrigin, eventStates, listEvents, toFileName } from "./items.server.ts";

export const eventKind: PublishedKind = {
  list: listEvents,
  async find(services, id) {
    const { db, site } = services;
    const event = await findEvent(services, id);
    if (!event) return null;
    const { title, startsAt, location, from, state, isRow, file } = event;
    const note = isRow ? undefined : (await readFileNotes(db, "event")).get(id);
    const { timeZone } = site.read(siteSettingsFile);
    return {
      kind: "event",
      id,
      rowId: isRow ? id : null,
      file,
      title,
      excerpt: "",
      facts: [shortTimestamp(startsAt, timeZone), location, from],
      state: note?.isDown ? "down" : state,
      isPinned: false,
      isPinnedByFile: false,
      corrections: null,
      dates: null,
      deletedAt: null,
    };
  },
  async lock({ clock }, tx, { id, rowId }) {
    if (rowId !== null && !(await lockEvent(tx, rowId))) return null;
    return {
      corrections: [],
      setState: (state) =>
        rowId === null
          ? // An import writes the rows of calendars again, so the decision is stored beside them.
            changeFileNote(tx, "event", id, { isDown: state === "down" })
          : changeEventState(tx, id, state === "published" ? "approved" : state, clock()),
    };
  },
  folder: eventsFolder,
  showVersion(stored) {
    const { title, description, location, category, free, url, ...when } =
      eventFields.parse(stored);
    const time = [when.starts, when.ends].filter(Boolean).join("–");
    return {
      title,
      excerpt: "",
      text: description,
      facts: [when.day, time, location, category, free ? "Free" : "", url],
    };
  },
  async restore(services, rowId, stored, { action, editor }) {
    const fields = eventFields.parse(stored);
    return services.db.transaction(async (tx) => {
      const row = await lockEvent(tx, rowId);
      if (!row) return "Somebody has deleted this event.";
      const publication = { row, fields, editor, state: row.state };
      const result = await publishEvent(services, tx, publication, action);
      if (result.kind === "published") return null;
      return `This version can no longer be published. ${Object.values(result.errors)[0]}`;
    });
  },
};

/** Finds an event of a file, of the database or of another calendar. */
async function findEvent({ db, site, clock }: ItemServices, id: string) {
  const elsewhere = { from: "", state: "published", isRow: false } as const;
  const file = site.readAll(eventsFolder).find((record) => record.id === id);
  if (file) {
    const next = nextDate(file, clock(), site.read(siteSettingsFile).timeZone)?.event;
    return next ? { ...next, ...elsewhere, file: toFileName(id) } : null;
  }
  const [row] = await db.select().from(eventSubmissions).where(eq(eventSubmissions.id, id));
  if (row) {
    const state = eventStates[row.state];
    return state && { ...row, from: describeOrigin(row), state, isRow: true, file: null };
  }
  const { sources } = site.read(eventsFile);
  const ids = [importedSource, ...sources.map((source) => source.id)];
  const [stored] = await findStoredEventsById(db, ids, id);
  if (!stored) return null;
  const from = sources.find((source) => source.id === stored.source)?.name ?? "Imported";
  return { ...stored, ...elsewhere, from, file: null };
}
