import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { readSite } from "../../../../server/site/site-files.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { noPage } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { lockEvent } from "../../events/desk-events.server.ts";
import { eventDocuments, eventShareCards, eventSitemap } from "../../events/documents.server.ts";
import { eventsFile, eventsFolder } from "../../events/files.server.ts";
import { calendarEvents } from "../../events/import/schema.server.ts";
import { importedSource } from "../../events/import/store.server.ts";
import {
  createEventLookup,
  eventsWithin,
  findEvent,
  findEvents,
  missingEventStatus,
  readRecords,
} from "../../events/listing/gather.server.ts";
import { findableWindow } from "../../events/listing/select.server.ts";
import { writeEventCalendar } from "../../events/listing/view.server.ts";
import { meetingsFile, meetingsFolder } from "../../events/meetings/files.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { fileNotes } from "../../file-notes/schema.server.ts";
import { listEvents, publishEvent } from "../kinds/event.server.ts";
import { findItem } from "../kinds/kinds.server.ts";
import { readLog } from "../log/log.server.ts";
import { deskLog } from "../schema.server.ts";
import { changeItem } from "./change-item.server.ts";
import { restoreVersion } from "./describe-item.server.ts";
import type { ItemAction } from "./model.ts";
import { deskVersions } from "./schema.server.ts";

const site = await readSite("sites/baltimore", [
  siteSettingsFile,
  eventsFile,
  eventsFolder,
  meetingsFile,
  meetingsFolder,
]);
const [file] = site.readAll(eventsFolder);
const category = site.read(eventsFile).categories[0]?.name ?? "";
const ana = { name: "Ana", email: "ana@example.com" };
const fields = {
  title: "Block Party",
  location: "Sample Street",
  description: "Come.",
  category,
  free: true,
  url: "",
  day: "2026-12-05",
  starts: "8 PM",
  ends: "01:00",
};

describe.each(databaseKinds)("events at the desk, on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T17:00:00Z");
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    now = new Date("2026-11-18T17:00:00Z");
    for (const table of [eventSubmissions, calendarEvents, fileNotes, deskLog, deskVersions])
      await database.db.delete(table);
  });

  const services = () => ({ db: database.db, site, clock: () => now });
  const lookup = () => createEventLookup({ ...services(), ...noPage });
  const publish = async (id: string | null, changes: Partial<typeof fields> = {}) =>
    database.db.transaction(async (tx) => {
      const row = id === null ? null : await lockEvent(tx, id);
      return publishEvent(services(), tx, { row, fields: { ...fields, ...changes }, editor: ana });
    });
  const create = async () => {
    const result = await publish(null);
    return result.kind === "published" ? result.id : expect.unreachable();
  };
  const find = (id: string) => findItem(services(), { kind: "event", id });
  const change = async (id: string, action: ItemAction) => {
    const item = await find(id);
    return item && changeItem({ ...services(), editor: ana }, item, { action });
  };
  /** Where readers, search and search engines find an event. */
  const findPlaces = async (id: string) => {
    const isIt = (each: { id: string }) => each.id === id;
    const page = { ...services(), ...noPage } as never;
    const found = {
      page: (await findEvent(lookup(), id)) !== null,
      list: (await eventsWithin(lookup(), findableWindow(lookup()))).some(isIt),
      calendar: (await writeEventCalendar(lookup(), id, "Harborline")) !== null,
      shareImage: (await eventShareCards.find(page, id)) !== null,
      brief: (await findEvents(lookup(), [id])).has(id),
      search: (await eventDocuments(services() as never)).some((each) => each.id === `event:${id}`),
      sitemap: (await eventSitemap.pages(page)).some(({ path }) => path === `/events/${id}`),
    };
    return Object.entries(found).flatMap(([place, isThere]) => (isThere ? place : []));
  };
  const everywhere = ["page", "list", "calendar", "shareImage", "brief", "search", "sitemap"];

  it("are on the site, and keep their id when they change", async () => {
    const id = await create();
    expect(await findPlaces(id)).toEqual(everywhere);
    expect((await findEvent(lookup(), id))?.event).toMatchObject({
      startsAt: new Date("2026-12-06T01:00:00Z"),
      endsAt: new Date("2026-12-06T06:00:00Z"),
    });
    expect(await publish(id, { title: "Street Party", ends: "" })).toEqual({
      kind: "published",
      id,
    });
    expect((await findEvent(lookup(), id))?.event).toMatchObject({ title: "Street Party" });
    const log = await readLog(database.db, { count: 10 });
    expect(log.map(({ action, items }) => `${action} ${items}`).toSorted()).toEqual([
      `published ${id}`,
      `updated ${id}`,
    ]);
  });

  it("are refused like those of readers, but can be corrected after they are over", async () => {
    expect(await publish(null, { title: " ", day: "2026-11-17" })).toEqual({
      kind: "refused",
      errors: {
        title: "Please enter the name of the event.",
        day: "Please enter today’s date or a later one.",
      },
    });
    const id = await create();
    now = new Date("2026-12-20T17:00:00Z");
    expect(await publish(id, { location: "Pier 5" })).toMatchObject({ kind: "published" });
  });

  it.each(["row", "file", "calendar"])(
    "of a %s can be taken down and published again",
    async (where) => {
      const startsAt = new Date("2026-12-01T17:00:00Z");
      if (where === "calendar")
        await database.db.insert(calendarEvents).values({
          source: importedSource,
          id: "book-sale",
          series: "book-sale",
          title: "Book Sale",
          description: "",
          location: "",
          url: "",
          categories: [],
          startsAt,
          endsAt: startsAt,
          allDay: false,
          cancelled: false,
          firstSeenAt: now,
          seenAt: now,
        });
      const id =
        where === "row" ? await create() : where === "file" ? (file?.id ?? "") : "book-sale";
      // Samples are not in the sitemap.
      const places = everywhere.filter((place) => place !== "sitemap" || where !== "file");
      expect(await findPlaces(id)).toEqual(places);
      expect(await change(id, "down")).toEqual({ kind: "done", slug: id });
      expect(await findPlaces(id)).toEqual([]);
      expect((await readRecords(lookup())).some((record) => record.id === id)).toBe(false);
      expect(await missingEventStatus(lookup(), id)).toBe(410);
      const words = where === "calendar" ? ["book"] : [];
      expect((await listEvents(services(), words)).find((item) => item.slug === id)).toMatchObject({
        state: "down",
      });
      expect(await change(id, "again")).toEqual({ kind: "done", slug: id });
      expect(await findPlaces(id)).toEqual(places);
      const log = await readLog(database.db, { count: 10 });
      expect(log.map(({ action }) => action)).toEqual(
        expect.arrayContaining(["took down", "published again"]),
      );
    },
  );

  it("become drafts again, and an earlier version can be restored, also while they are not on the site", async () => {
    const id = await create();
    await publish(id, { title: "Street Party" });
    const restore = async (number: number) => {
      const item = await find(id);
      if (item?.rowId !== id) throw new Error("There is no such row.");
      return restoreVersion(
        { ...services(), editor: ana, runInWorker: runInThisThread },
        { ...item, rowId: id },
        number,
      );
    };
    expect(await change(id, "draft")).toEqual({ kind: "done", slug: id });
    expect(await findPlaces(id)).toEqual([]);
    expect(await missingEventStatus(lookup(), id)).toBe(404);
    expect(await restore(9)).toEqual({ kind: "missing" });
    expect(await restore(1)).toEqual({ kind: "restored" });
    expect(await find(id)).toMatchObject({ title: "Block Party", state: "draft" });
    expect(await change(id, "again")).toEqual({ kind: "done", slug: id });
    expect(await findPlaces(id)).toEqual(everywhere);
    // A version whose day is over would be on no list.
    now = new Date("2026-12-06T17:00:00Z");
    await publish(id, { day: "2026-12-12" });
    expect(await restore(1)).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("Please enter today’s date"),
    });
    expect(await change(file?.id ?? "", "draft")).toMatchObject({ kind: "refused" });
    expect(await change(id, "rename")).toMatchObject({ kind: "refused" });
  });

  it("that do not exist are neither taken down nor gone", async () => {
    expect(await find("none")).toBeNull();
    expect(await missingEventStatus(lookup(), "none")).toBe(404);
  });
});
