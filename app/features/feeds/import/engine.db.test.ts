import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import {
  createRss,
  type FeedServer,
  startFeedServer,
} from "../../../../tests/support/feed-server.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { createSafeFetch } from "../../../lib/external/safe-fetch.server.ts";
import { createLog } from "../../../lib/log.ts";
import { noPage } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { sourceDocuments } from "../../sources/schema.server.ts";
import { listActiveSources, sectionsFile, toDocumentId } from "../files.server.ts";
import { readSourceHealth } from "../health/health.server.ts";
import { mergeItems, pickHeadlines, readNewestItems } from "../listing/select.server.ts";
import { feedItems, headlines } from "../schema.server.ts";
import { type Outcome, refreshFeeds, summarizeOutcomes } from "./refresh.server.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const minute = 60_000;
const day = 24 * 60 * minute;
let time = 0;
let handlers: Record<string, Handler> = {};
let server: FeedServer;

beforeAll(async () => {
  server = await startFeedServer((request, response) => {
    const handler = handlers[request.url ?? ""];
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });
});
afterAll(() => server.close());
afterEach(() => {
  handlers = {};
  server.requests.length = 0;
});

const feed =
  (...stories: Parameters<typeof createRss>[1]): Handler =>
  (_, response) =>
    response.end(createRss("paper.example", stories));

/**
 * Creates the sections of a city. One section has a source for each of these paths, named after the
 * path. `extraFields` is YAML that is added to each source.
 */
function createSections(paths: string[], extraFields = "") {
  const sources = paths.map(
    (path) => `{ name: ${path.slice(1)}, url: "${server.url(path)}"${extraFields} }`,
  );
  const parsed = sectionsFile.parse(`
places: [Baltimore, Orioles]
widgetPoster: { file: a.svg }
sections:
  news: { heading: N, intro: I, description: D, feeds: {} }
  archives: { heading: A, intro: I, description: D, feeds: {} }
  local: { heading: L, intro: I, description: D, feeds: { local: { title: T, description: D, sources: [${sources.join(", ")}] } } }
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

describe("the feed engine", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    time = Date.parse("2026-11-15T12:00:00Z");
    for (const table of [feedItems, headlines, sourceDocuments]) await database.db.delete(table);
  });

  const refresh = (paths: string[]): Promise<Outcome[]> => {
    const sections = createSections(paths);
    const site = createSiteContent(
      new Map<string, unknown>([
        [siteSettingsFile.path, { origin: "https://a.example", network: { name: "Harborline" } }],
        [sectionsFile.path, sections],
      ]),
    );
    const tools = {
      site,
      db: database.db,
      clock: () => new Date(time),
      log: createLog({ write: () => {} }),
      fetch: createSafeFetch([server.host]),
      runInWorker: runInThisThread,
    };
    return refreshFeeds(tools);
  };
  const readHeadlines = async (
    paths: string[],
    extraFields = "",
    maxPerSource = 8,
    labels?: Map<string, string>,
  ) => {
    const sources = listActiveSources(createSections(paths, extraFields));
    const scope = { db: database.db, ...noPage };
    return pickHeadlines(mergeItems(await readNewestItems(scope, sources)), sources, {
      maxPerSource,
      places: createSections(paths).places,
      timeZone: "America/New_York",
      toTitle: (title) => title,
      labels,
    });
  };
  const readTitles = async (paths: string[], extraFields = "") =>
    (await readHeadlines(paths, extraFields)).map(({ title }) => title);
  const readState = async (id: string) =>
    (
      await database.db
        .select()
        .from(sourceDocuments)
        .where(eq(sourceDocuments.id, toDocumentId(id)))
    )[0];

  it("sends conditional requests, at most one every 15 minutes", async () => {
    handlers["/a"] = (request, response) => {
      if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else
        response
          .setHeader("ETag", '"1"')
          .end(createRss("paper.example", [{ title: "The bay freezes over" }]));
    };
    await refresh(["/a"]);
    await refresh(["/a"]);
    time += 14 * minute;
    await refresh(["/a"]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({
      "user-agent": "Harborline/1.0 (+https://a.example/about)",
    });
    time += 4 * minute;
    const [outcome] = await refresh(["/a"]);
    expect(server.requests).toHaveLength(2);
    expect(outcome).toMatchObject({ fresh: 0, cause: null });
    expect(await readTitles(["/a"])).toEqual(["The bay freezes over"]);
  });

  it("visits a source again when a clock that ran ahead is correct again", async () => {
    handlers["/a"] = feed({ title: "The bay freezes over" });
    const start = time;
    time = start + 365 * day;
    await refresh(["/a"]);
    time = start;
    await refresh(["/a"]);
    await refresh(["/a"]);
    expect(server.requests).toHaveLength(2);
  });

  it("counts a 304 response as a success, on the status page and in the log", async () => {
    handlers["/a"] = (_, response) =>
      response
        .setHeader("ETag", '"1"')
        .end(createRss("paper.example", [{ title: "The bay freezes over" }]));
    await refresh(["/a"]);
    time += 20 * minute;
    handlers["/a"] = (_, response) => response.writeHead(500).end();
    await refresh(["/a"]);
    handlers["/a"] = (request, response) =>
      response.writeHead(request.headers["if-none-match"] === '"1"' ? 304 : 500).end();
    const visitAgain = async () => {
      time += 20 * minute;
      return summarizeOutcomes(await refresh(["/a"]));
    };
    expect(await visitAgain()).toBeNull();
    expect((await readSourceHealth(database.db, createSections(["/a"])))[0]).toMatchObject({
      state: "good",
      cause: null,
      items: 1,
      lastTry: new Date(time),
      lastSuccess: new Date(time),
    });
    const requestCount = server.requests.length;
    await refresh(["/a"]);
    expect(server.requests).toHaveLength(requestCount);
  });

  it("shows local headlines first where sections are mixed, and labels the others", async () => {
    const hour = (title: string, path: string, at: number) => ({
      title,
      path,
      date: `Sun, 15 Nov 2026 ${String(at).padStart(2, "0")}:00:00 GMT`,
    });
    handlers["/brew"] = feed(
      hour("Ferry returns to the harbor after a pause of two years", "/1", 3),
      hour("School board picks a new chair", "/2", 1),
    );
    handlers["/world"] = feed(
      hour("Parliament dissolves overnight", "/3", 9),
      hour("Ferry returns to the harbor after a pause of two years", "/4", 2),
    );
    handlers["/nation"] = feed(hour("Senate passes the farm bill", "/5", 8));
    for (const path of ["/brew", "/world", "/nation"]) await refresh([path]);
    const labels = new Map([
      ["world", "World"],
      ["nation", "National"],
    ]);
    const list = await readHeadlines(["/brew", "/world", "/nation"], "", 8, labels);
    expect(list.map(({ title, label }) => [title, label])).toEqual([
      ["Ferry returns to the harbor after a pause of two years", undefined],
      ["School board picks a new chair", undefined],
      ["Parliament dissolves overnight", "World"],
      ["Senate passes the farm bill", "National"],
    ]);
  });

  it("shows a headline that several sources have once, with the other sources", async () => {
    handlers["/a"] = feed({
      title: "Council approves $4 billion city budget after long night",
      path: "/1",
      date: "Sun, 15 Nov 2026 06:00:00 GMT",
    });
    handlers["/b"] = feed(
      {
        title: "City council approves $4 billion budget after a long night",
        path: "/2",
        date: "Sun, 15 Nov 2026 05:00:00 GMT",
      },
      {
        title: "Council approves $3 billion city budget after long night",
        path: "/3",
        date: "Sun, 15 Nov 2026 04:00:00 GMT",
      },
    );
    handlers["/c"] = feed({
      title: "Something else entirely happened downtown",
      path: "/1?utm_source=c",
      date: "Sun, 15 Nov 2026 03:00:00 GMT",
    });
    for (const path of ["/a", "/b", "/c"]) await refresh([path]);
    const list = await readHeadlines(["/a", "/b", "/c"]);
    expect(list.map(({ title, also }) => [title, also.map(({ source }) => source)])).toEqual([
      ["Council approves $4 billion city budget after long night", ["b", "c"]],
      ["Council approves $3 billion city budget after long night", []],
    ]);
  });

  it("shows a shared headline with the title and summary of the source that is shown", async () => {
    handlers["/first"] = feed({
      title: "Council approves $4 billion city budget after long night",
      path: "/1",
      summary: "As we saw it.",
      date: "Sun, 15 Nov 2026 06:00:00 GMT",
    });
    handlers["/later"] = feed({
      title: "City council approves $4 billion budget after a long night",
      path: "/2",
      summary: "As they saw it.",
      date: "Sun, 15 Nov 2026 09:00:00 GMT",
    });
    for (const path of ["/first", "/later"]) await refresh([path]);
    const [shared] = await readHeadlines(["/first", "/later"]);
    expect(shared).toMatchObject({
      source: "first",
      summary: "As we saw it.",
      link: "https://paper.example/1",
      time: { iso: "2026-11-15T06:00:00.000Z" },
      also: [{ source: "later", link: "https://paper.example/2" }],
    });
    const [alone] = await readHeadlines(["/later"]);
    expect(alone).toMatchObject({ source: "later", summary: "As they saw it.", also: [] });
  });

  it("updates an edited title and date without adding a duplicate or changing when we first saw it", async () => {
    handlers["/a"] = feed({
      title: "Crab prices fall",
      guid: "1",
      date: "Sun, 15 Nov 2026 06:00:00 GMT",
    });
    await refresh(["/a"]);
    const [before] = await database.db.select().from(headlines);
    time += 20 * minute;
    handlers["/a"] = feed({
      title: "Crab prices fall again",
      guid: "1",
      date: "Sun, 15 Nov 2026 07:00:00 GMT",
    });
    const [outcome] = await refresh(["/a"]);
    expect(outcome).toMatchObject({ fresh: 0, changed: 1 });
    expect(await database.db.select().from(headlines)).toEqual([
      expect.objectContaining({
        title: "Crab prices fall again",
        firstSeenAt: before?.firstSeenAt,
        shownAt: new Date("2026-11-15T07:00:00Z"),
      }),
    ]);
  });

  it("stores all items of a microblog, even if a title is cut from the text in the middle of a character", async () => {
    const text = `${"x".repeat(119)}🎉 and so on`;
    handlers["/micro"] = (_, response) =>
      response.end(`<rss version="2.0"><channel><title>t</title>
        <item><link>https://paper.example/1</link><description>${text}</description></item>
        <item><link>https://paper.example/2</link><title>Second post of the day</title></item></channel></rss>`);
    expect(await refresh(["/micro"])).toMatchObject([{ fresh: 2 }]);
  });

  it("shows only items that name our places if a source also covers other cities, and limits the items per source", async () => {
    const playerStories = Array.from({ length: 12 }, (_, n) => ({
      title: `Orioles sign player number ${n}`,
      path: `/${n}`,
    }));
    handlers["/a"] = feed(
      { title: "Storm hits Ohio", path: "/o" },
      { title: "Baltimoreans unite abroad", path: "/p" },
      ...playerStories,
    );
    handlers["/b"] = feed({ title: "Harbor swim is on", path: "/swim" });
    await refresh(["/a", "/b"]);
    expect(await readTitles(["/a"], ", onlyPlaces: true")).toHaveLength(12);
    const list = await readHeadlines(["/a", "/b"], "", 3);
    expect(list.filter(({ source }) => source === "a")).toHaveLength(3);
    expect(list.filter(({ source }) => source === "b")).toHaveLength(1);
  });

  it.each<[string, Handler, string]>([
    ["refuses us", (_, response) => response.writeHead(403).end(), "blocked"],
    ["is gone", (_, response) => response.writeHead(410).end(), "gone"],
    [
      "sends a web page",
      (_, response) =>
        response
          .setHeader("Content-Type", "text/html")
          .end("<!doctype html><html><body>Sign in</body></html>"),
      "not-readable",
    ],
    ["sends an empty feed", feed(), "empty"],
    ["has a server error", (_, response) => response.writeHead(500).end(), "broken"],
    ["closes the connection", (request) => request.socket.destroy(), "unreachable"],
    [
      "sends a decompression bomb",
      (_, response) =>
        response
          .setHeader("Content-Encoding", "gzip")
          .end(gzipSync(Buffer.alloc(20 * 1024 * 1024))),
      "too-large",
    ],
    [
      "redirects to a private IP address",
      (_, response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
      "not-allowed",
    ],
    [
      "redirects in a loop",
      (_, response) => response.writeHead(301, { Location: "/a" }).end(),
      "moved",
    ],
  ])(
    "keeps the last headlines when a source %s, and refreshes the others",
    async (_, failingHandler, cause) => {
      handlers["/a"] = feed({ title: "Still here" });
      await refresh(["/a"]);
      time += day;
      handlers["/a"] = failingHandler;
      handlers["/good"] = feed({ title: "Others go on" });
      await refresh(["/a", "/good"]);
      expect(await readState("a")).toMatchObject({ cause, failures: 1, etag: null });
      expect(await readTitles(["/a", "/good"])).toEqual(
        expect.arrayContaining(["Still here", "Others go on"]),
      );
    },
  );

  it("notices that a source has recovered after nine failures in a row", async () => {
    handlers["/a"] = (_, response) => response.writeHead(500).end();
    for (let failure = 1; failure <= 9; failure += 1) {
      time = (await readState("a"))?.nextAttemptAt.getTime() ?? time;
      await refresh(["/a"]);
    }
    expect(await readState("a")).toMatchObject({ failures: 9, cause: "broken" });
    handlers["/a"] = feed({ title: "Back again" });
    time += 1.2 * day;
    await refresh(["/a"]);
    expect(await readState("a")).toMatchObject({ cause: null, failures: 0 });
    expect(await readTitles(["/a"])).toEqual(["Back again"]);
  });

  it("waits as long as the Retry-After header of a busy source says", async () => {
    handlers["/a"] = (_, response) => response.writeHead(429, { "Retry-After": "7200" }).end();
    await refresh(["/a"]);
    const state = await readState("a");
    expect(state).toMatchObject({ cause: "busy" });
    expect((state?.nextAttemptAt.getTime() ?? 0) - time).toBeGreaterThanOrEqual(120 * minute);
  });

  it("remembers a permanent redirect, and drops it when the new URL fails", async () => {
    handlers["/a"] = (_, response) => response.writeHead(308, { Location: "/new" }).end();
    handlers["/new"] = feed({ title: "We have moved" });
    await refresh(["/a"]);
    expect(await readState("a")).toMatchObject({ movedTo: server.url("/new") });
    time += day;
    await refresh(["/a"]);
    expect(server.requests.map(({ path }) => path)).toEqual(["/a", "/new", "/new"]);
    delete handlers["/new"];
    time += day;
    await refresh(["/a"]);
    expect(await readState("a")).toMatchObject({ movedTo: null, cause: "gone" });
  });

  it("sends one request at a time to a host, and one per source even if two nodes run", async () => {
    let openCount = 0;
    let maxOpenCount = 0;
    const paths = ["/a", "/b", "/c", "/d"];
    for (const path of paths) {
      handlers[path] = (_, response) => {
        openCount += 1;
        maxOpenCount = Math.max(maxOpenCount, openCount);
        setTimeout(() => {
          openCount -= 1;
          response.end(createRss("paper.example", [{ title: `Story of ${path}` }]));
        }, 20);
      };
    }
    const [first, second] = await Promise.all([refresh(paths), refresh(paths)]);
    expect([...first, ...second].filter(({ isVisited }) => isVisited)).toHaveLength(4);
    expect(server.requests).toHaveLength(4);
    // Each of the two nodes may have one request open, but never two.
    expect(maxOpenCount).toBeLessThanOrEqual(2);
  });

  it("does not send the etag of the old URL when the URL of a source has changed in sections.yaml", async () => {
    handlers["/a"] = feed({ title: "Where we are now" });
    const oldState = {
      etag: '"old"',
      failures: 3,
      items: 0,
      url: "https://old.example/",
      checkedAt: new Date(time),
      nextAttemptAt: new Date(time + day),
    };
    await database.db.insert(sourceDocuments).values({ id: toDocumentId("a"), ...oldState });
    await refresh(["/a"]);
    expect(server.requests[0]?.headers).not.toHaveProperty("if-none-match");
    expect(await readState("a")).toMatchObject({ url: server.url("/a"), etag: null, failures: 0 });
  });
});
