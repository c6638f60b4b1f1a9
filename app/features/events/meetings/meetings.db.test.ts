import type { IncomingMessage, ServerResponse } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { type FeedServer, startFeedServer } from "../../../../tests/support/feed-server.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { createSafeFetch } from "../../../lib/external/safe-fetch.server.ts";
import { createLog } from "../../../lib/log.ts";
import type { SiteContent, SiteFile } from "../../../site-files/site-file.server.ts";
import { makeBriefNow } from "../../brief/make.server.ts";
import { findBrief } from "../../brief/read.server.ts";
import { sourceDocuments } from "../../sources/schema.server.ts";
import { meetingFeed } from "../feed.server.ts";
import { calendarEvents } from "../import/schema.server.ts";
import { meetingSourceHealth, refreshMeetings } from "../import/sources.server.ts";
import { deleteOldEvents } from "../import/store.server.ts";
import { createEventLookup, eventsWithin } from "../listing/gather.server.ts";
import { toMeetingCalendar, toMeetingDetails } from "./describe.server.ts";
import { type MeetingsTexts, meetingsFile, meetingsFolder } from "./files.server.ts";
import { createMeetingLookup, findMeeting } from "./gather.server.ts";
import { writeOwnMeeting } from "./own-meetings.server.ts";
import { loadMeetings, loadMeetingsView } from "./view.server.ts";

const hour = 60 * 60_000;
const wednesday = Date.parse("2026-11-18T12:00:00Z");
let time = wednesday;
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let server: FeedServer;
let database: OpenDatabase;
let shipped: SiteContent;

beforeAll(async () => {
  server = await startFeedServer((request, response) => respond(request, response));
  database = await openTestDatabase();
  shipped = await readShippedSite();
});
afterAll(async () => {
  await server.close();
  await database.close();
});
beforeEach(async () => {
  time = wednesday;
  server.requests.length = 0;
  await database.db.delete(calendarEvents);
  await database.db.delete(sourceDocuments);
});

/** What Legistar sends about one meeting, in its own names. */
const board = {
  EventId: 7,
  EventBodyName: "Board of Estimates",
  EventDate: "2026-11-18T00:00:00",
  EventTime: "6:00 PM",
  EventLocation: "City Hall, Room 215",
  EventAgendaFile: "https://city.example/agenda.pdf",
  EventMinutesFile: null,
  EventVideoPath: "javascript:alert(1)",
  EventComment: "Bring your questions.",
  EventAgendaStatusName: "Final",
  EventInSiteURL: "https://city.example/7",
};
const council = { ...board, EventId: 8, EventBodyName: "City Council", EventDate: "2026-11-20" };
const legistar =
  (...events: unknown[]): typeof respond =>
  (_, response) =>
    response.end(JSON.stringify(events));

const texts = (): MeetingsTexts => ({
  ...shipped.read(meetingsFile),
  sources: [
    { id: "city", name: "City Clerk", page: "https://city.example/", legistar: server.url("/v1") },
  ],
});
const services = (own = texts()) => {
  const site: SiteContent = {
    ...wholeCity,
    readAll: (folder) => shipped.readAll(folder),
    read: <T>(file: SiteFile<T>): T =>
      file.path === meetingsFile.path ? (own as T) : shipped.read(file),
  };
  return {
    site,
    db: database.db,
    clock: () => new Date(time),
    log: createLog({ write: () => true }),
    tags: { add() {} },
    expireAt() {},
  };
};
const visit = async (sources = texts().sources) => {
  await refreshMeetings({
    ...services({ ...texts(), sources }),
    fetch: createSafeFetch(["127.0.0.1"]),
    runInWorker: runInThisThread,
  });
  time += 2 * hour;
};

const page = (path = "/meetings", own = texts()) =>
  loadMeetingsView(services(own), new URL(path, "https://www.city.example"));
const list = async (path?: string) => (await page(path)).days.flatMap(({ items }) => items);
const find = async (id: string) => {
  const lookup = createMeetingLookup(services());
  const meeting = await findMeeting(lookup, id);
  return meeting && toMeetingDetails(meeting, lookup);
};

describe("public meetings", () => {
  it("come from Legistar, with their documents and how to speak, and replace the samples", async () => {
    expect((await page()).hasSamples).toBe(true);
    respond = legistar(board, council, { EventId: "no number" });
    await visit();
    expect(decodeURIComponent(server.requests[0]?.path ?? "").replaceAll("+", " ")).toContain(
      "/v1/events?$filter=EventDate ge datetime'2026-09-17' and EventDate lt datetime'2027-12-19'",
    );
    expect(server.requests[0]?.headers.accept).toContain("application/json");
    const view = await page();
    expect(view.hasSamples).toBe(false);
    expect(view.days.map(({ heading }) => heading)).toEqual([
      "Today, Wednesday, November 18",
      "Friday, November 20",
    ]);
    expect(await find("city-7")).toMatchObject({
      title: "Board of Estimates",
      timeLine: "6:00 PM",
      location: "City Hall, Room 215",
      links: [{ label: "Agenda", url: "https://city.example/agenda.pdf" }],
      text: "Bring your questions.",
      howToSpeak: { text: expect.stringContaining("contracts") },
      startsAt: "2026-11-18T18:00:00-05:00",
      moved: null,
      source: { name: "City Clerk", url: "https://city.example/" },
    });
    // The name in the source is an alias of the body.
    expect((await list("/meetings?body=baltimore-city-council")).map(({ id }) => id)).toEqual([
      "city-8",
    ]);
    await expect(list("/meetings?body=nobody")).rejects.toMatchObject({ status: 302 });
    expect(await meetingSourceHealth(services())).toMatchObject([{ state: "good", items: 2 }]);
  });

  it("that move or are canceled say so, until they move back", async () => {
    respond = legistar(board, council);
    await visit();
    const moved = { ...board, EventTime: "7:30 PM", EventLocation: "War Memorial" };
    respond = legistar(moved, { ...council, EventAgendaStatusName: "Cancelled" });
    await visit();
    expect(await find("city-7")).toMatchObject({
      moved: "Moved from 6:00 PM, City Hall, Room 215",
      previousStart: "2026-11-18T18:00:00-05:00",
    });
    expect(await find("city-8")).toMatchObject({ isCanceled: true, moved: null });
    respond = legistar({ ...board, EventLocation: "City Hall" }, council);
    await visit();
    expect(await find("city-7")).toMatchObject({ previousStart: null });
    expect(await find("city-8")).toMatchObject({ isCanceled: false });
    respond = legistar({ ...board, EventLocation: "CANCELLED" }, council);
    await visit();
    expect(await find("city-7")).toMatchObject({ isCanceled: true, location: "" });
  });

  it("of the same body and time are all listed, but our own replace those of a source", async () => {
    const again = { ...council, EventId: 9 };
    respond = legistar(board, council, again);
    await visit();
    expect((await list()).map(({ id }) => id)).toEqual(["city-7", "city-8", "city-9"]);
    const [imported] = await database.db
      .select()
      .from(calendarEvents)
      .where(eq(calendarEvents.id, "city-7"));
    if (!imported) return expect.unreachable();
    for (const [id, cancelled] of [
      ["first", true],
      ["second", false],
    ] as const)
      await writeOwnMeeting(database.db, new Date(time), { ...imported, id, cancelled });
    expect((await list()).map(({ id }) => id)).toEqual(["first", "second", "city-8", "city-9"]);
  });

  it("in a file may last past midnight, but not until the time before their start", () => {
    const parse = (ends: string) =>
      meetingsFolder
        .file("hearing.md")
        .parse(
          `---\nbody: Council\nstarts: { on: 2026-12-05, at: "17:30" }\nends: "${ends}"\n---\n`,
        );
    expect(parse("00:30").ok).toBe(true);
    expect(parse("16:00")).toMatchObject({
      problems: [{ field: "ends", message: expect.stringContaining("before the start") }],
    });
  });

  it("replace the samples, also a sample of the same body at the same time", async () => {
    respond = legistar({ ...board, EventDate: "2026-11-19", EventTime: "9:00 AM" });
    await visit();
    expect(await list()).toMatchObject([{ id: "city-7", isSample: false }]);
  });

  it("that are over stay, with the minutes that follow, and coming ones that vanish do not", async () => {
    respond = legistar(board, council);
    await visit();
    time = Date.parse("2026-11-19T12:00:00Z");
    respond = legistar({ ...board, EventMinutesFile: "https://city.example/minutes.pdf" });
    await visit();
    const { days, recent } = await page();
    expect(days).toEqual([]);
    expect(recent[0]?.items[0]?.links.map(({ label }) => label)).toEqual(["Agenda", "Minutes"]);
    expect(await find("city-8")).toBeNull();
    time += 400 * 24 * hour;
    expect(await deleteOldEvents(database.db, () => new Date(time))).toBe(1);
  });

  it("come from calendars, where a title may name the body and say that it is canceled", async () => {
    const sources = [
      { id: "clerk", name: "Clerk", page: "https://city.example/", calendar: server.url("/1.ics") },
    ];
    const entry = (uid: string, title: string) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:20261119T230000Z\r\nEND:VEVENT\r\n`;
    respond = (_, response) =>
      response.end(
        `BEGIN:VCALENDAR\r\n${entry("1", "CANCELED: Planning Commission Hearing")}${entry("2", "Liquor Board")}END:VCALENDAR\r\n`,
      );
    await visit(sources);
    const { days, bodies } = await page("/meetings", { ...texts(), sources });
    expect(days[0]?.items).toMatchObject([
      { title: "Planning Commission Hearing", isCanceled: true },
      { title: "Liquor Board", isCanceled: false },
    ]);
    expect(bodies.filter(({ count }) => count > 0).map(({ name }) => name)).toEqual([
      "Liquor Board",
      "Planning Commission",
    ]);
  });

  it("stay as they are if a source sends something else", async () => {
    respond = legistar(board);
    await visit();
    for (const body of ["<!doctype html>", '{"Message":"Setting not found"}', "[{"]) {
      respond = (_, response) => response.end(body);
      time += 24 * hour;
      await visit();
      expect(await meetingSourceHealth(services())).toMatchObject([
        { state: "failing", causeKey: "not-readable" },
      ]);
      expect(await find("city-7")).not.toBeNull();
    }
  });

  it("with characters that no page may show are shown without them, and need a visible name", async () => {
    const name = { EventBodyName: "Zoning\u0000 Board\u202e", EventLocation: "Room\u0007 4" };
    respond = legistar({ ...board, ...name }, { ...council, EventBodyName: "\u200b\u200b" });
    await visit();
    expect(await list()).toMatchObject([{ title: "Zoning Board", location: "Room 4" }]);
  });

  it("with HTML in their texts are shown as text", async () => {
    const written = {
      EventBodyName: "<i>Ways & Means</i> &amp; Taxes",
      EventLocation: "Room&nbsp;4<br>City Hall",
      EventComment:
        "<p>Bring</p><p>your <b>questions</b>.&#27;&#7;&#x202e;</p><script>alert(1)</script>",
    };
    respond = legistar({ ...board, ...written });
    await visit();
    expect(await find("city-7")).toMatchObject({
      title: "Ways & Means & Taxes",
      location: "Room 4 City Hall",
      text: "Bring\nyour questions.",
    });
  });

  it("stay if the source has entries that cannot be read, which is a failure if it has no others", async () => {
    respond = legistar(board, council);
    await visit();
    respond = legistar({ Id: 8, Body: "City Council" });
    await visit();
    expect(await meetingSourceHealth(services())).toMatchObject([
      { state: "failing", causeKey: "not-readable" },
    ]);
    expect(await list()).toHaveLength(2);
    time += 24 * hour;
    respond = legistar({ ...board, EventDate: "2026-11-25" }, { Id: 8, Body: "City Council" });
    await visit();
    expect((await list()).map(({ id }) => id)).toEqual(["city-8", "city-7"]);
    respond = legistar();
    await visit();
    expect(await find("city-8"), "an empty list can be read").toBeNull();
  });

  it("far away are ignored, one of another year names it, and one never lasts for years", async () => {
    respond = legistar(
      { ...board, EventDate: "2027-01-05" },
      { ...council, EventDate: "2099-12-31" },
    );
    await visit();
    expect((await page()).days.map(({ heading }) => heading)).toEqual(["Tuesday, January 5, 2027"]);
    const sources = [
      { id: "clerk", name: "Clerk", page: "https://city.example/", calendar: server.url("/1.ics") },
    ];
    const lines = ["VCALENDAR", "VEVENT"].map((part) => `BEGIN:${part}`);
    const times = ["DTSTART:20261119T230000Z", "DTEND:99991231T230000Z"];
    respond = (_, response) =>
      response.end([...lines, "UID:1", "SUMMARY:Board", ...times, "END:VEVENT", ""].join("\r\n"));
    await visit(sources);
    const { days } = await page("/meetings", { ...texts(), sources });
    expect(days[0]?.items).toMatchObject([{ timeLine: "6:00 PM" }]);
  });

  it("are among the events, in the calendar with reminders, in the feed and in the brief", async () => {
    respond = legistar(board, { ...council, EventAgendaStatusName: "Canceled" });
    await visit();
    const tools = services();
    const lookup = createEventLookup(tools);
    const window = { from: new Date(time), until: new Date("2026-11-19T05:00:00Z") };
    expect(await eventsWithin(lookup, window)).toMatchObject([
      { id: "city-7", category: "Public meetings", isSample: false },
    ]);
    const loaded = await loadMeetings(tools, new URL("https://www.city.example/meetings.ics"));
    const calendar = toMeetingCalendar(loaded.lookup, loaded.meetings, "Meetings");
    expect(calendar.match(/TRIGGER:-P1D\r\n|TRIGGER:-PT1H\r\n/g)).toHaveLength(2);
    expect(calendar).toContain("STATUS:CANCELLED");
    const feed = await meetingFeed("json", loaded, "Harborline").json();
    expect(feed.items.map(({ title }: { title: string }) => title)).toEqual([
      "Board of Estimates, Wednesday, November 18, 2026",
      "Canceled: Baltimore City Council, Friday, November 20, 2026",
    ]);
    // A meeting that becomes known later than two weeks before is new, not two weeks old.
    expect(feed.items.map((item: { date_published: string }) => item.date_published)).toEqual([
      "2026-11-18T12:00:00.000Z",
      "2026-11-18T12:00:00.000Z",
    ]);
    await makeBriefNow(tools, { again: true });
    const read = async () => (await findBrief(tools, "2026-11-18"))?.meetings;
    expect(await read()).toMatchObject([
      { when: "Tonight", title: "Board of Estimates", time: "6 PM", change: null },
    ]);
    respond = legistar({ ...board, EventDate: "2026-11-25" });
    await visit();
    expect(await read()).toMatchObject([{ title: "Board of Estimates", change: "Moved" }]);
  });
});
