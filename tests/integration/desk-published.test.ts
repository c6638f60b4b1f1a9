import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import { followLiveStory } from "../support/live-story.ts";
import { runInServer } from "../support/newsroom.ts";
import { createDatabase } from "../support/postgres.ts";

const today = "2026-11-15";
const title = "Ferry Returns to Canton";
const story = `---
title: ${title}
excerpt: What we know so far.
category: Neighborhoods
date: ${today}
pinned: true
---

The first paragraph of the story.
`;

const blogPost = `---
title: A Walk on Pier Seven
excerpt: What is left of it.
date: ${today}
---

The pier.
`;
const event = `---
title: Lantern Parade on Pier Seven
excerpt: Bring a lantern.
category: Community
location: Pier Seven
starts: { on: 2026-11-20, at: "18:00" }
ends: { on: 2026-11-20, at: "20:00" }
---

Bring a lantern.
`;

/** What editors tease by hand. */
const goodToKnow = `local:
${[
  "/news/ferry#crossing",
  "/news/the-cat",
  "/news/the-bridge",
  "/blog/pier-seven",
  "/events/lantern-parade",
]
  .map((link) => `  - { title: About ${link}, summary: Worth a look., link: "${link}" }\n`)
  .join("")}  - { title: Something else, summary: Worth a look., link: /about }
`;

const siteFiles = {
  "news/ferry.md": story,
  "blog/pier-seven.md": blogPost,
  "events/lantern-parade.md": event,
  "good-to-know.yaml": goodToKnow,
  "desk.yaml": "editors:\n  - { name: Ana Reyes, email: ana@example.com }\n",
};

const fact = `  - text: Pier Seven had a lighthouse.
    link: { label: More, url: /blog/pier-seven }
`;

/** A reader's story, and one of the desk. */
const rows = `insert into story_submissions
  (key, title, text, html, name, email, state, "writtenBy", "createdAt", slug, category, day, "publishedAt")
  select slug, title, 'A text.', '<p>A text.</p>', '', '', 'approved', "writtenBy", '${today}T14:00:00Z',
    slug, 'Community', '${today}', '${today}T14:00:00Z'
  from (values ('the-cat', 'The Cat of Pier Seven', 'reader'),
    ('the-bridge', 'The Bridge of Pier Seven', 'desk')) as stories (slug, title, "writtenBy")`;

const [storyImage, draftImage] = [crypto.randomUUID(), crypto.randomUUID()];
const imageRow = `insert into story_images (id, story, position, width, height, alt, bytes)
  select '${storyImage}', id, 0, 4, 3, 'A bridge', '\\x01' from story_submissions where slug = 'the-bridge'`;

/** Two nodes on one database. */
let cities: [TestCity, TestCity];
let database: pg.Client;
beforeAll(async () => {
  const url = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  database = new pg.Client({ connectionString: url });
  await database.connect();
  await database.query(rows);
  await database.query(imageRow);
  const start = () =>
    startCity(
      {
        "ads.yaml": (source) => source.replace("to: /newsletter", "to: /news/ferry"),
        "brief.yaml": (source) => source.replace(/(facts:\n)/, `$1${fact}`),
      },
      { DATABASE_URL: url, FAKE_NOW: `${today}T15:00:00Z`, TRUST_PROXY: "1" },
      siteFiles,
    );
  cities = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await database?.end();
  await Promise.all((cities ?? []).map((city) => city.close()));
});

/** Everything that shows a new story by itself. */
const places = [
  "/",
  "/news",
  "/stories",
  "/local",
  "/archives",
  "/feeds/stories.xml",
  "/feeds/stories.json",
  "/sitemap/stories.xml",
  "/news-sitemap.xml",
  "/search.json?q=canton",
];

const get = ({ server }: TestCity, path: string, headers?: HeadersInit) =>
  fetch(server.url + path, { headers, redirect: "manual" });
const listPlaces = async (city: TestCity, text: string | RegExp, paths = places) => {
  const bodies = await Promise.all(paths.map(async (path) => (await get(city, path)).text()));
  return paths.filter((_, index) => bodies[index]?.match(text));
};

const post = ({ server }: TestCity, path: string, Cookie: string, form: Record<string, string>) =>
  fetch(server.url + path, {
    method: "POST",
    headers: { Cookie },
    body: new URLSearchParams(form),
    redirect: "manual",
  });

async function signIn(city: TestCity): Promise<string> {
  const { output } = await runInServer(city.dataDir, ["desk", "link", "ana", "--json"]);
  const { pathname, search } = new URL(JSON.parse(output).link);
  const response = await fetch(city.server.url + pathname + search, {
    method: "POST",
    body: new URLSearchParams(),
    redirect: "manual",
  });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

it("a story that an editor takes down on one node is gone from the other, until it is published again", async () => {
  const [one, other] = cities;
  await expect.poll(() => listPlaces(other, /Ferry Returns to Canton|news\/ferry/)).toEqual(places);
  const page = await (await get(other, "/news/ferry")).text();
  const [, shareImage = ""] =
    /content="https:\/\/[^/]+(\/share\/news\/ferry\/[^"]+)"/.exec(page) ?? [];
  expect((await get(other, shareImage)).status).toBe(200);

  const Cookie = await signIn(one);
  const send = (action: string, cookie = Cookie) =>
    post(one, "/desk/published/story/ferry", cookie, { action });
  // Without the cookie of an editor, nothing happens.
  expect((await send("down", "")).headers.get("Location")).toMatch(/^\/desk\?to=/);
  expect((await get(other, "/news/ferry")).status).toBe(200);

  const next = (await send("down")).headers.get("Location") ?? "";
  const open = async (path: string) => (await get(one, path, { Cookie })).text();
  expect(await open(next)).toContain("You took it down.");
  expect(await open("/desk/published/story/ferry")).not.toContain("You took it down.");
  await expect.poll(async () => (await get(other, "/news/ferry")).status).toBe(410);
  await expect.poll(() => listPlaces(other, /Ferry Returns to Canton|news\/ferry/)).toEqual([]);
  expect((await get(other, shareImage)).status).toBe(404);
  // It stays down when its file is edited.
  await other.save("news/ferry.md", story.replace("first", "changed"));
  expect((await get(other, "/news/ferry")).status).toBe(410);
  const { output } = await runInServer(other.dataDir, ["validate"]);
  expect(output).toMatch(/taken down.*\/desk\/published\/story\/ferry/);

  await send("again");
  await expect.poll(async () => (await get(other, "/news/ferry")).status).toBe(200);
  await expect.poll(() => listPlaces(other, /Ferry Returns to Canton|news\/ferry/)).toEqual(places);
  const log = await runInServer(other.dataDir, ["desk", "log", "--json"]);
  expect(JSON.parse(log.output)).toMatchObject([
    { action: "published again", title },
    { action: "took down", title, editor: "ana@example.com" },
    { action: "signed in" },
  ]);
});

const items = [
  { kind: "story", id: "ferry", path: "/news/ferry" },
  { kind: "story", id: "the-cat", path: "/news/the-cat" },
  { kind: "story", id: "the-bridge", path: "/news/the-bridge" },
  { kind: "post", id: "pier-seven", path: "/blog/pier-seven" },
  { kind: "event", id: "lantern-parade", path: "/events/lantern-parade" },
];
/** Everything that has lists of stories, posts or events, or links to them. */
const files = [
  ...["stories", "brief", "events", "local"].flatMap((name) =>
    ["xml", "atom", "json"].map((type) => `/feeds/${name}.${type}`),
  ),
  "/blog/feed.xml",
  "/blog/feed.json",
  "/search.json?q=pier+seven",
  "/search?q=pier+seven",
  "/search/suggest?q=pier",
  "/events.json",
  "/events.ics",
  "/embed/events",
  "/news-sitemap.xml",
  "/functions/v1/get_metainfo?domain=baltimore.harborline.example",
  ...["stories", "blog", "events"].map((name) => `/sitemap/${name}.xml`),
];

it("nothing on the site leads to what an editor took down on another node, until it is published again", async () => {
  const [one, other] = cities;
  await runInServer(one.dataDir, ["brief", "make"]);
  const Cookie = await signIn(one);
  const send = ({ kind, id }: { kind: string; id: string }, action: string) =>
    post(one, `/desk/published/${kind}/${id}`, Cookie, { action });
  const sitemap = await (await get(other, "/sitemap/pages.xml")).text();
  const pages = [...sitemap.matchAll(/<loc>https:\/\/[^/]+([^<]*)<\/loc>/g)]
    .map(([, path = ""]) => path || "/")
    .concat("/blog/how-to-pick-a-crab", "/news/marble-steps", "/events/chess-in-the-park");
  const findPlaces = async (paths: string[]) => {
    const bodies = await Promise.all(paths.map(async (path) => (await get(other, path)).text()));
    return items.map(({ path }) => ({
      path,
      foundOn: paths.filter((_, index) => bodies[index]?.match(new RegExp(`${path}\\b`))),
    }));
  };
  const everything = [...new Set([...pages, ...files])];
  const before = await findPlaces(everything);
  const places = everything.filter((path) => before.some(({ foundOn }) => foundOn.includes(path)));
  for (const { path, foundOn } of before) expect(foundOn.length, path).toBeGreaterThan(5);
  for (const item of items) {
    expect((await send(item, "down")).status).toBe(302);
    await expect.poll(async () => (await get(other, item.path)).status).toBe(410);
    const gone = await (await get(other, item.path)).text();
    expect(gone).toContain("No longer available");
    expect(gone).not.toMatch(/misspelled|could not be found/);
    expect(await (await get(other, `${item.path}-x`)).text()).not.toContain("No longer available");
  }
  expect((await get(other, "/events/lantern-parade/calendar.ics")).status).toBe(410);
  await expect
    .poll(() => findPlaces(places))
    .toEqual(items.map(({ path }) => ({ path, foundOn: [] })));
  const { output } = await runInServer(other.dataDir, ["validate"]);
  for (const id of ["post/pier-seven", "event/lantern-parade"])
    expect(output).toContain(`/desk/published/${id}`);
  for (const item of items) await send(item, "again");
  await expect.poll(() => findPlaces(places)).toEqual(before);
});

it("readers who follow a story on another node hear of each entry that an editor publishes, and of its end", async () => {
  const [one, other] = cities;
  const Cookie = await signIn(one);
  const send = (form: Record<string, string>) =>
    post(one, "/desk/published/story/the-bridge", Cookie, form);
  const readPage = async () => (await get(other, "/news/the-bridge")).text();
  expect((await send({ action: "live" })).status).toBe(302);
  await expect.poll(readPage).toContain("Reload this page for new entries");
  const { nextVersion } = await followLiveStory(other.server.url, "the-bridge");
  const versions = [await nextVersion()];
  const entry = { action: "entry", title: "Bridge open", text: "Since **noon**." };
  expect((await send(entry)).headers.get("Location")).toMatch(
    /^\/desk\/published\/story\/the-bridge\?/,
  );
  versions.push(await nextVersion());
  const html = await readPage();
  expect(html).toContain("Bridge open</h2>");
  expect(html).toContain('"@type":"LiveBlogPosting"');
  const feed = JSON.parse(await (await get(other, "/feeds/stories.json")).text());
  expect(
    feed.items.filter(({ url }: { url: string }) => url.endsWith("/news/the-bridge")),
  ).toMatchObject([{ content_html: expect.stringContaining("<strong>noon</strong>") }]);
  // What is refused is still in the form.
  const refused = await send({ ...entry, title: "Kept", text: " " });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('value="Kept"');
  expect((await send({ action: "end" })).status).toBe(302);
  versions.push(await nextVersion());
  expect(await nextVersion()).toBeNull();
  expect(versions[2]).toBe("over");
  expect(new Set(versions).size).toBe(3);
  expect(await readPage()).toContain("This story is no longer updated.");
});

it("a backup that is restored into an empty site has all that the desk stores, but nobody is signed in", async () => {
  const [one] = cities;
  const Cookie = await signIn(one);
  const deskPath = "/desk/published/story";
  const send = (id: string, form: Record<string, string>) =>
    post(one, `${deskPath}/${id}`, Cookie, form);
  await send("the-bridge", { action: "correct", correction: "It is a drawbridge." });
  await send("the-bridge", { action: "rename", slug: "the-drawbridge" });
  await send("ferry", { action: "down" });
  const [row] = (
    await database.query("select id from story_submissions where slug = 'the-drawbridge'")
  ).rows;
  const opened = await post(one, "/desk/write", Cookie, { kind: "story", item: row.id });
  const draftPath = opened.headers.get("Location") ?? "";
  await database.query(
    `insert into desk_images (id, draft, width, height, bytes, "createdAt") values ($1, $2, 4, 3, '\\x02', now())`,
    [draftImage, draftPath.split("/").at(-1)],
  );

  const empty = await startCity(
    {},
    { FAKE_NOW: `${today}T16:00:00Z`, TRUST_PROXY: "1" },
    siteFiles,
  );
  onTestFinished(() => empty.close());
  const backup = join(one.dataDir, "desk.tar.gz");
  expect(await runInServer(one.dataDir, ["backup", backup])).toMatchObject({ code: 0 });
  const restored = await runInServer(empty.dataDir, ["restore", backup, "--replace"]);
  expect(restored).toMatchObject({ code: 0 });

  const read = async (path: string, cookie = "") =>
    (
      await fetch(empty.server.url + path, { headers: { Cookie: cookie }, redirect: "manual" })
    ).text();
  expect(await read("/news/the-drawbridge")).toMatch(
    new RegExp(`/pictures/${storyImage}.*It is a drawbridge`, "s"),
  );
  expect((await get(empty, `/pictures/${storyImage}.webp`)).status).toBe(200);
  expect((await get(empty, "/news/the-bridge")).headers.get("Location")).toBe(
    "/news/the-drawbridge",
  );
  expect((await get(empty, "/news/ferry")).status).toBe(410);
  expect(await read("/desk/log", Cookie)).not.toContain("corrected");
  const newCookie = await signIn(empty);
  expect(await read("/desk/log", newCookie)).toContain("It is a drawbridge.");
  expect(await read(`${deskPath}/the-drawbridge/versions`, newCookie)).toContain("?version=2");
  expect(await read(draftPath, newCookie)).toContain("The Bridge of Pier Seven");
  expect(await read(`/desk/images/${draftImage}.webp`, newCookie)).toBe("\x02");
});
