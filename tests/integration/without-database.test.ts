import pg from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { startCity } from "../support/city.ts";
import { findFreePort } from "../support/free-port.ts";
import { runInServer } from "../support/newsroom.ts";
import { createDatabase } from "../support/postgres.ts";
import { pagePaths } from "../support/routes.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** What has no bound, or belongs to one subscriber, is read from the database for each page. */
const readsDatabase = [
  "/newsletter/confirm",
  "/archives",
  "/status",
  "/search?q=harbor",
  "/local?place=hampden",
];
/** What readers and editors have stored in the database, and where it is. */
const stored = {
  "/": "The Heron of Herring Run",
  "/news/heron": "It stood there all day.",
  "/stories": "The Heron of Herring Run",
  "/events": "A Walk to the Heron",
  "/events/heron-walk": "Bring shoes that may get wet.",
  "/blog": "How to Draw a Heron",
  "/blog/draw-a-heron": "Begin with the legs.",
};
const paths = [
  ...new Set([...pagePaths, ...Object.keys(stored), "/feeds/local.xml", "/events.ics"]),
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let proxy: TcpProxy;
let server: RunningServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  const url = new URL(await createDatabase(inject("postgresUrl"), inject("postgresTemplate")));
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`
    insert into story_submissions
      (key, title, text, name, email, state, "createdAt", slug, category, day, "publishedAt")
      values ('k', 'The Heron of Herring Run', 'It stood there all day.', 'Ann', '', 'approved',
        now(), 'heron', 'Local', current_date, now());
    insert into event_submissions
      (id, key, title, location, description, category, free, url, day, "startsAt", "endsAt",
        name, email, state, "createdAt")
      values ('heron-walk', 'k', 'A Walk to the Heron', 'Herring Run',
        'Bring shoes that may get wet.', 'Music', true, '', current_date + 3,
        now() + interval '3 days', now() + interval '74 hours', '', '', 'approved', now());
    insert into blog_posts
      (domain, slug, "metaTitle", "metaDescription", date, "publishAt", blog, state, "createdAt")
      values ('baltimore.harborline.example', 'draw-a-heron', 'How to Draw a Heron', 'D.',
        '2026-11-15', now(), 'Begin with the legs.', 'published', now());
  `);
  await client.end();
  proxy = await startTcpProxy(url.href);
  url.port = new URL(proxy.url).port;
  server = await startServer({
    DATA_DIR: folder.path,
    DATABASE_URL: url.href,
    PAGE_CACHE: "off",
    TRUST_PROXY: "1",
  });
  await server.waitForOutput("data.loaded");
});
afterAll(async () => {
  await server?.stop();
  proxy?.disconnect();
  await folder.remove();
});

let visitors = 0;
async function read(path: string, { url } = server) {
  visitors += 1;
  const headers = { "x-forwarded-for": `10.1.${visitors >> 8}.${visitors & 255}` };
  const response = await fetch(url + path, { headers });
  return { status: response.status, text: await response.text() };
}

it("without its database, the site stays readable, also pages that nobody has opened", async () => {
  proxy.disconnect();
  onTestFinished(async () => {
    await proxy.reconnect();
    await server.waitForOutput("purge.connection_restored");
  });
  await server.waitForOutput("purge.connection_lost");
  for (const path of paths.filter((each) => !readsDatabase.includes(each)))
    expect([path, (await read(path)).status]).toEqual([path, path === "/no-such-page" ? 404 : 200]);
  for (const [path, text] of Object.entries(stored))
    expect((await read(path)).text, path).toContain(text);
  for (const path of readsDatabase) {
    const { status, text } = await read(path);
    expect([path, status]).toEqual([path, 503]);
    expect(text).toContain("is not responding right now");
  }
});

it("without its database, the log of the server says which command failed and why", async () => {
  proxy.disconnect();
  onTestFinished(() => proxy.reconnect());
  const { code, output } = await runInServer(folder.path, ["--json", "messages", "list"]);
  expect([code, output]).toEqual([1, expect.stringContaining("The command failed")]);
  await server.waitForOutput("command.failed");
  const line =
    server
      .output()
      .split("\n")
      .find((each) => each.includes("command.failed")) ?? "{}";
  expect(JSON.parse(line)).toMatchObject({
    level: "error",
    command: "messages list",
    query: expect.stringContaining("contact_messages"),
  });
});

/** Jobs that run at the same time would disturb a longer measurement. */
const batchSize = 8;

it("a page reads nothing from the database, unless what it shows has no bound, or belongs to one subscriber", async () => {
  const metricsPort = await findFreePort();
  const city = await startCity(
    {},
    { PAGE_CACHE: "off", TRUST_PROXY: "1", METRICS_PORT: String(metricsPort) },
  );
  onTestFinished(city.close);
  const countSoFar = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^harborline_database_statements_total (\d+)/m.exec(metrics)?.[1]);
  };
  const countStatementsOf = async (work: () => Promise<unknown>) => {
    const before = await countSoFar();
    await work();
    return (await countSoFar()) - before;
  };
  await city.server.waitForOutput("data.loaded");
  // The metrics send statements too. Jobs send some now and then, so we wait for a quiet moment.
  let ownCount = -1;
  for (let sameCount = 0; sameCount < 5; ) {
    const count = await countStatementsOf(async () => {});
    sameCount = count === ownCount ? sameCount + 1 : 0;
    ownCount = count;
  }
  const pages = pagePaths.filter((each) => !readsDatabase.includes(each));
  for (let start = 0; start < pages.length; start += batchSize) {
    const batch = pages.slice(start, start + batchSize);
    const readBatch = () => Promise.all(batch.map((path) => read(path, city.server)));
    await expect
      .poll(() => countStatementsOf(readBatch), { message: batch.join(" ") })
      .toBe(ownCount);
  }
});
