import { eq } from "drizzle-orm";
import { shortTimestamp } from "../../../../lib/dates.ts";
import type { Services } from "../../../../platform/services.ts";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { eventsFile, eventsFolder } from "../../../events/files.server.ts";
import { findStoredEventsById, importedSource } from "../../../events/import/store.server.ts";
import { nextDate } from "../../../events/listing/file-events.server.ts";
import { eventSubmissions } from "../../../events/schema.server.ts";
import { readFileNotes } from "../../../file-notes/notes.server.ts";
import type { ItemState } from "../model.ts";

/** An event that is, or was, on the site, as its page at the desk shows it. */
export type DeskEvent = {
  id: string;
  title: string;
  location: string;
  startsAt: Date;
  /** Null if nobody knows when it was published. */
  announcedAt: Date | null;
  state: ItemState;
  /** Where it comes from. */
  from: string;
  /** Whether the event is a row of the desk or of a reader, which editors can change. */
  isRow: boolean;
  /** Such as events/parade.md. Null if the event is not a file. */
  file: string | null;
};

/** Finds an event of the database, of a file or of another calendar. */
export async function findDeskEvent(
  services: Pick<Services, "db" | "site" | "clock">,
  id: string,
): Promise<DeskEvent | null> {
  const { db, site, clock } = services;
  const file = site.readAll(eventsFolder).find((record) => record.id === id);
  const [row] = file
    ? []
    : await db.select().from(eventSubmissions).where(eq(eventSubmissions.id, id));
  if (row) return fromRow(row);
  const note = (await readFileNotes(db, "event")).get(id);
  const state = note?.isDown ? "down" : "published";
  const origin = { id, state, announcedAt: null, isRow: false } as const;
  if (file) {
    const next = nextDate(file, clock(), site.read(siteSettingsFile).timeZone)?.event;
    if (!next) return null;
    const { title, location, startsAt } = next;
    return { ...origin, title, location, startsAt, from: "", file: toFileName(id) };
  }
  const { sources } = site.read(eventsFile);
  const ids = [importedSource, ...sources.map((source) => source.id)];
  const [stored] = await findStoredEventsById(db, ids, id);
  if (!stored) return null;
  const from = sources.find((source) => source.id === stored.source)?.name ?? "Imported";
  const { title, location, startsAt } = stored;
  return { ...origin, title, location, startsAt, from, file: null };
}

/** What the page of an event at the desk shows. */
export function describeDeskEvent({ site }: Pick<Services, "site">, event: DeskEvent) {
  const { timeZone } = site.read(siteSettingsFile);
  const { id, title, location, startsAt, state, from, isRow, file } = event;
  const facts = [shortTimestamp(startsAt, timeZone), location, from];
  return { id, title, facts: facts.filter(Boolean).join(" · "), state, isRow, file };
}

/** Null for an event that waits or was rejected. */
export function fromRow(row: typeof eventSubmissions.$inferSelect): DeskEvent | null {
  const { id, title, location, startsAt, origin } = row;
  if (row.state !== "approved" && row.state !== "down") return null;
  const state = row.state === "down" ? "down" : "published";
  const from = origin === "reader" ? "From a reader" : "From the desk";
  const announcedAt = row.decidedAt ?? row.createdAt;
  return { id, title, location, startsAt, announcedAt, state, from, isRow: true, file: null };
}

export const toFileName = (id: string) => `${eventsFolder.folder}/${id}.md`;
