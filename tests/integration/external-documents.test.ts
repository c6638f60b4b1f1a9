import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderPost } from "../../app/features/blog/posts/html.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { eventsFile } from "../../app/features/events/files.server.ts";
import {
  calendarHealth,
  refreshCalendars,
} from "../../app/features/events/import/sources.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { readSourceHealth, toStatusRows } from "../../app/features/feeds/health/health.server.ts";
import { refreshFeeds } from "../../app/features/feeds/import/refresh.server.ts";
import { headlines } from "../../app/features/feeds/schema.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import type { RunInWorker } from "../../app/platform/worker-task.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { createSiteContent } from "../../server/site/site-values.ts";
import { openWorkerPool } from "../../server/workers/worker-pool.ts";
import { openTestDatabase } from "../support/database.ts";
import { createRss, type FeedServer, startFeedServer } from "../support/feed-server.ts";

const workers = openWorkerPool("tests/fixtures/slow-reader-worker.ts", 1_000);
const lines: string[] = [];
const log = createLog({ write: (line) => lines.push(line) });
const timeZone = "America/New_York";
let database: OpenDatabase;
let server: FeedServer;

beforeAll(async () => {
  database = await openTestDatabase("pglite");
  server = await startFeedServer((request, response) => {
    const isHostile = request.url === "/hostile" || request.url === "/hostile.ics";
    const title = isHostile ? "Here no end is in sight" : "The ferry runs again";
    const event = `BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:${title}\r\nDTSTART:20261120T180000Z\r\nEND:VEVENT\r\n`;
    if (request.url?.endsWith(".ics")) response.end(`BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`);
    else response.end(createRss("paper.example", [{ title }]));
  });
});
afterAll(async () => {
  await workers.close();
  await server.close();
  await database.close();
});

const createTools = () => ({
  db: database.db,
  clock: () => new Date("2026-11-15T12:00:00Z"),
  log,
  fetch: createSafeFetch([server.host]),
  runInWorker: workers.run,
});

describe("a document that takes too long to read", () => {
  it("makes only its own feed fail, and /status says why", async () => {
    const sources = ["hostile", "paper"].map(
      (name) => `{ name: ${name}, url: "${server.url(`/${name}`)}" }`,
    );
    const sections = sectionsFile.parse(`
places: []
widgetPoster: { file: a.svg }
sections:
  news: { heading: N, intro: I, description: D, feeds: {} }
  archives: { heading: A, intro: I, description: D, feeds: {} }
  local: { heading: L, intro: I, description: D, feeds: { local: { title: T, description: D, sources: [${sources.join(", ")}] } } }
`);
    if (!sections.ok) return expect.unreachable(JSON.stringify(sections.problems));
    const site = createSiteContent(
      new Map<string, unknown>([
        [siteSettingsFile.path, { origin: "https://a.example", network: { name: "A" } }],
        [sectionsFile.path, sections.value],
      ]),
    );
    await refreshFeeds({ ...createTools(), site });
    const health = await readSourceHealth(database.db, sections.value);
    expect(health).toMatchObject([
      {
        id: "hostile",
        state: "failing",
        cause: "sent something that takes too long to read (more than 1 seconds)",
      },
      { id: "paper", state: "good", items: 1 },
    ]);
    expect(toStatusRows(health, sections.value, timeZone)[0]?.problem).toBe(
      "It sent something that takes too long to read.",
    );
    expect(await database.db.select({ title: headlines.title }).from(headlines)).toEqual([
      { title: "The ferry runs again" },
    ]);
  });

  it("makes only its own calendar fail", async () => {
    const sources = ["hostile", "library"].map((id) => ({
      id,
      name: id,
      url: server.url(`/${id}.ics`),
    }));
    const site = createSiteContent(
      new Map<string, unknown>([
        [siteSettingsFile.path, { timeZone, origin: "https://a.example", network: { name: "A" } }],
        [eventsFile.path, { sources }],
      ]),
    );
    const tools = { ...createTools(), site };
    await refreshCalendars(tools);
    expect(await calendarHealth(tools)).toMatchObject([
      { id: "hostile", state: "failing", causeKey: "too-slow-to-read" },
      { id: "library", state: "good", items: 1 },
    ]);
  });

  it("is shown without its markup if it is a post, and only the first readers have to wait", async () => {
    const renderings: string[] = [];
    const services = {
      db: database.db,
      log,
      runInWorker: ((task, input) => {
        renderings.push(task.name);
        return workers.run(task, input);
      }) satisfies RunInWorker,
    };
    const renderBody = (blog: string, isFile = false) =>
      renderPost(services, { slug: "a-post", blog, isFile }, "https://city.example");
    const longText = "\n\nA paragraph of a long post.".repeat(500);
    const endlessText = `Here **no end is in sight**${longText}`;
    const plainHtml = `<p>Here no end is in sight</p>${"\n<p>A paragraph of a long post.</p>".repeat(500)}`;
    expect(await Promise.all([renderBody(endlessText), renderBody(endlessText)])).toEqual([
      plainHtml,
      plainHtml,
    ]);
    expect(await renderBody(endlessText)).toBe(plainHtml);
    expect(renderings).toEqual(["post"]);
    expect(lines.join("")).toContain('"event":"blog.not_rendered","slug":"a-post"');
    const withImage = "A **photo** ![of it](https://a.example/1.png)";
    const [firstParagraph] = (await renderBody(withImage + longText)).split("\n");
    expect(firstParagraph).toMatch(
      /<strong>photo<\/strong> <img src="\/blog\/picture\/[\w-]{22}\//,
    );
    // A short text of the newsroom is rendered without a worker thread, with the same result.
    expect(await renderBody(withImage, true)).toBe(firstParagraph);
    expect(renderings).toHaveLength(2);
    // A text from anywhere else is never rendered in the thread that handles requests.
    expect(await renderBody("A *short* text.")).toBe("<p>A <em>short</em> text.</p>");
    expect(renderings).toHaveLength(3);
  });
});
