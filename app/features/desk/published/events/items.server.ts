import { inArray } from "drizzle-orm";
import { siteSettingsFile } from "../../../brand/files.server.ts";
import { publishedStates } from "../../../events/desk-events.server.ts";
import { eventsFolder } from "../../../events/files.server.ts";
import { nextDate } from "../../../events/listing/file-events.server.ts";
import { eventSubmissions } from "../../../events/schema.server.ts";
import { readFileNotes } from "../../../file-notes/notes.server.ts";
import type { ItemSource } from "../item-source.ts";
import { fromRow, toFileName } from "./find.server.ts";

/** The events of the newsroom and of readers. */
export const eventItems: ItemSource = {
  kind: "event",
  async list({ db, site, clock }) {
    const rows = await db
      .select()
      .from(eventSubmissions)
      .where(inArray(eventSubmissions.state, publishedStates));
    const notes = await readFileNotes(db, "event");
    const { timeZone } = site.read(siteSettingsFile);
    const files = site.readAll(eventsFolder).flatMap((record) => {
      const event = nextDate(record, clock(), timeZone)?.event;
      if (!event) return [];
      const state = notes.get(record.id)?.isDown ? ("down" as const) : ("published" as const);
      return [{ ...event, announcedAt: null, state, from: toFileName(record.id) }];
    });
    return [...rows.flatMap((row) => fromRow(row) ?? []), ...files].map(
      ({ id, title, startsAt: at, announcedAt, state, from }) => ({
        kind: "event" as const,
        id,
        title,
        at,
        announcedAt,
        state,
        isPinned: false,
        from,
      }),
    );
  },
};
