import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { type FeedServer, startFeedServer } from "../../../../tests/support/feed-server.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { createSafeFetch } from "../../../lib/external/safe-fetch.server.ts";
import { QueueFull, WorkRefused } from "../../../lib/external/work-refused.ts";
import { createLog } from "../../../lib/log.ts";
import type { RunInWorker } from "../../../platform/worker-task.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { sourceDocuments } from "../../sources/schema.server.ts";
import { eventsFile } from "../files.server.ts";
import { calendarEvents } from "./schema.server.ts";
import { calendarHealth, refreshCalendars } from "./sources.server.ts";
import { deleteOldEvents, findStoredEvents } from "./store.server.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const until = new Date("2030-01-01");
const noon = Date.parse("2026-11-15T17:00:00Z");
let time = noon;
const settings = {
  timeZone: "America/New_York",
  network: { name: "Harborline" },
  origin: "https://x.example",
};
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let server: FeedServer;

beforeAll(async () => {
  server = await startFeedServer((request, response) => respond(request, response));
});
afterAll(() => server.close());

const event = (uid: string, day: string, title = uid) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${title}\r\nDTSTART:202611${day}T230000Z\r\nCATEGORIES:Music,Free\r\nEND:VEVENT\r\n`;
const calendar =
  (...events: string[]): typeof respond =>
  (_, response) =>
    response.end(`BEGIN:VCALENDAR\r\n${events.join("")}END:VCALENDAR\r\n`);

describe("an imported calendar", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    time = noon;
    server.requests.length = 0;
    await database.db.delete(calendarEvents);
    await database.db.delete(sourceDocuments);
  });

  const sources = () => [{ id: "library", name: "The Library", url: server.url("/1.ics") }];
  const clock = () => new Date(time);
  const createSite = (calendars = sources()) =>
    createSiteContent(
      new Map<string, unknown>([
        [siteSettingsFile.path, settings],
        [eventsFile.path, { sources: calendars }],
      ]),
    );
  const refresh = (runInWorker: RunInWorker = runInThisThread, calendars = sources()) =>
    refreshCalendars({
      site: createSite(calendars),
      db: database.db,
      clock,
      fetch: createSafeFetch(["127.0.0.1"]),
      log: createLog({ write: () => true }),
      runInWorker,
    });
  const listTitles = async (from = 0) =>
    (await findStoredEvents(database.db, ["library"], { from: new Date(from), until })).map(
      ({ title }) => title,
    );
  const readHealth = async () => (await calendarHealth({ db: database.db, site: createSite() }))[0];

  it("is read and stored, and visited again after an hour, not earlier", async () => {
    expect(await readHealth()).toMatchObject({ state: "not-asked-yet", lastTry: null });
    respond = calendar(event("walk", "20"), event("talk", "18"));
    await refresh();
    time += 59 * minute;
    await refresh();
    expect(await listTitles()).toEqual(["talk", "walk"]);
    expect(server.requests.length).toBe(1);
    expect(await readHealth()).toMatchObject({
      state: "good",
      items: 2,
      lastSuccess: new Date(noon),
    });
    time += 8 * minute;
    await refresh();
    expect(server.requests.length).toBe(2);
  });

  it("is visited again when a clock that ran ahead is correct again", async () => {
    respond = calendar(event("walk", "20"));
    time = noon + 365 * day;
    await refresh();
    time = noon;
    await refresh();
    await refresh();
    expect(server.requests.length).toBe(2);
  });

  it("updates upcoming events under the same ID, and keeps past ones", async () => {
    respond = calendar(event("walk", "20"), event("talk", "18"), event("gone", "19"));
    await refresh();
    const before = await findStoredEvents(database.db, ["library"], { from: new Date(0), until });
    time = Date.parse("2026-11-19T12:00:00Z");
    respond = calendar(event("walk", "21", "A longer walk"));
    await refresh();
    expect(await listTitles()).toEqual(["talk", "A longer walk"]);
    const walk = (await findStoredEvents(database.db, ["library"], { from: clock(), until }))[0];
    expect(walk).toMatchObject({
      id: before[2]?.id,
      categories: ["Music", "Free"],
      cancelled: false,
    });
    time += 400 * day;
    expect(await deleteOldEvents(database.db, clock)).toBe(2);
  });

  it("is requested with conditional headers, and read again after a week even if unchanged", async () => {
    let requestHeaders: (string | undefined)[] = [];
    respond = (request, response) => {
      requestHeaders = [request.headers["if-none-match"], request.headers["user-agent"]];
      if (requestHeaders[0] === '"1"') return response.writeHead(304).end();
      response.setHeader("ETag", '"1"');
      calendar(event("walk", "28"))(request, response);
    };
    await refresh();
    time += 2 * 60 * minute;
    await refresh();
    expect(requestHeaders).toEqual(['"1"', expect.stringContaining("/about)")]);
    expect(await readHealth()).toMatchObject({
      state: "good",
      items: 1,
      lastSuccess: clock(),
      lastTry: clock(),
    });
    time += 59 * minute;
    await refresh();
    expect(server.requests.length).toBe(2);
    time += 8 * day;
    await refresh();
    expect(requestHeaders[0]).toBeUndefined();
  });

  it("that fails keeps its events and is visited less and less often, but at least about once a day", async () => {
    respond = calendar(event("walk", "28"));
    await refresh();
    respond = (_, response) => response.writeHead(500).end();
    const waits: number[] = [];
    for (let visit = 0; visit < 9; visit += 1) {
      time = (await readHealth())?.nextTry?.getTime() ?? 0;
      await refresh();
      waits.push(Math.round((((await readHealth())?.nextTry?.getTime() ?? 0) - time) / minute));
    }
    expect(await listTitles()).toEqual(["walk"]);
    expect(await readHealth()).toMatchObject({
      state: "failing",
      causeKey: "broken",
      cause: "returned an error (HTTP status 500)",
    });
    expect(waits[0]).toBeLessThan(17);
    expect(waits[1]).toBeGreaterThan(29);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(24 * 60);
    expect(waits.at(-1)).toBeLessThanOrEqual(24 * 66);
    respond = calendar(event("talk", "29"));
    time += 2 * day;
    await refresh();
    expect(await readHealth()).toMatchObject({ state: "good", cause: null });
  });

  it("is visited once when two nodes refresh at the same time", async () => {
    respond = calendar(event("walk", "20"));
    await Promise.all([refresh(), refresh()]);
    expect(server.requests.length).toBe(1);
    expect(await listTitles()).toEqual(["walk"]);
  });

  it("that crashes the process is visited again later, and less and less often", async () => {
    respond = calendar(event("walk", "20"));
    const waits: number[] = [];
    for (let start = 0; start < 4; start += 1) {
      // The visit never finishes, as if the process had crashed.
      const { promise: readingStarted, resolve: reportStart } = Promise.withResolvers<void>();
      void refresh(() => {
        reportStart();
        return new Promise(() => {});
      });
      await readingStarted;
      await refresh();
      expect(server.requests.length).toBe(start + 1);
      expect(await readHealth()).toMatchObject({ state: "not-asked-yet", lastTry: clock() });
      const next = (await readHealth())?.nextTry?.getTime() ?? 0;
      waits.push(Math.floor((next - time) / minute));
      time = next;
    }
    expect(waits[0]).toBeGreaterThanOrEqual(15);
    expect(waits[3]).toBeGreaterThanOrEqual(120);
    await refresh();
    expect(await readHealth()).toMatchObject({ state: "good", items: 1 });
  });

  it("that could not be read is failing, and is visited again later", async () => {
    respond = calendar(event("walk", "20"));
    await refresh(() => Promise.reject(new Error("took too long to read")));
    expect(await readHealth()).toMatchObject({ state: "failing", causeKey: "not-readable" });
    await refresh();
    expect(server.requests.length).toBe(1);
  });

  it("stays due while too many documents wait to be read, and the next calendar is visited", async () => {
    respond = calendar(event("walk", "20"));
    const two = [...sources(), { id: "museum", name: "The Museum", url: server.url("/2.ics") }];
    await refresh(() => Promise.reject(new QueueFull()), two);
    expect(await readHealth()).toMatchObject({ state: "not-asked-yet" });
    await refresh(runInThisThread, two);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/1.ics",
      "/2.ics",
      "/1.ics",
      "/2.ics",
    ]);
  });

  it("stays due when the server is closing while it is read", async () => {
    respond = calendar(event("walk", "20"));
    const closing = () => Promise.reject(new WorkRefused("the server is closing"));
    await expect(refresh(closing)).rejects.toThrow(WorkRefused);
    expect(await readHealth()).toMatchObject({ state: "not-asked-yet" });
    await refresh();
    expect(await listTitles()).toEqual(["walk"]);
  });

  it("is not stored if its URL has changed during the visit", async () => {
    respond = calendar(event("walk", "20"));
    await refresh(async (...task) => {
      await database.db.update(sourceDocuments).set({ url: "https://new.example/1.ics" });
      return runInThisThread(...task);
    });
    expect(await listTitles()).toEqual([]);
  });

  it("with a new URL is visited at once, without the state of the old one", async () => {
    respond = (request, response) => {
      response.setHeader("ETag", '"1"');
      calendar(event("walk", "20"))(request, response);
    };
    await refresh();
    await database.db.update(sourceDocuments).set({ url: "https://old.example/1.ics" });
    await refresh();
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([
      undefined,
      undefined,
    ]);
    expect(await readHealth()).toMatchObject({ state: "good", items: 1 });
  });

  it("that returns a web page is reported as unreadable", async () => {
    respond = (_, response) => response.end("<!doctype html><p>Please log in</p>");
    await refresh();
    expect(await readHealth()).toMatchObject({ state: "failing", causeKey: "not-readable" });
  });
});
