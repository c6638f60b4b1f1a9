import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
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

const post = `---
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

/** Two nodes on one database. */
let cities: [TestCity, TestCity];
beforeAll(async () => {
  const url = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  const start = () =>
    startCity(
      {},
      { DATABASE_URL: url, FAKE_NOW: `${today}T15:00:00Z`, TRUST_PROXY: "1" },
      {
        "news/ferry.md": story,
        "blog/pier-seven.md": post,
        "events/lantern-parade.md": event,
        "desk.yaml": "editors:\n  - { name: Ana Reyes, email: ana@example.com }\n",
      },
    );
  cities = await Promise.all([start(), start()]);
});
afterAll(() => Promise.all((cities ?? []).map((city) => city.close())));

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

const get = ({ server }: TestCity, path: string) =>
  fetch(server.url + path, { redirect: "manual" });
const listPlaces = async (city: TestCity, text: string | RegExp, paths = places) => {
  const bodies = await Promise.all(paths.map(async (path) => (await get(city, path)).text()));
  return paths.filter((_, index) => bodies[index]?.match(text));
};

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
  const send = (action: string, headers = { Cookie }) =>
    fetch(`${one.server.url}/desk/published/story/ferry`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ action }),
      redirect: "manual",
    });
  // Without the cookie of an editor, nothing happens.
  expect((await send("down", { Cookie: "" })).headers.get("Location")).toBe("/desk");
  expect((await get(other, "/news/ferry")).status).toBe(200);

  expect((await send("down")).headers.get("Location")).toBe("/desk/published/story/ferry");
  await expect.poll(async () => (await get(other, "/news/ferry")).status).toBe(410);
  await expect.poll(() => listPlaces(other, /Ferry Returns to Canton|news\/ferry/)).toEqual([]);
  expect((await get(other, shareImage)).status).toBe(404);
  // It stays down when its file is edited.
  await other.save("news/ferry.md", story.replace("first", "changed"));
  expect((await get(other, "/news/ferry")).status).toBe(410);
  const shown = await runInServer(other.dataDir, ["stories", "show", "news/ferry.md"]);
  expect(shown.output).toContain("is taken down");
  const { output } = await runInServer(other.dataDir, ["validate"]);
  expect(output).toContain("/desk/published/story/ferry");

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

it.each([
  [
    "a post",
    "/blog/pier-seven",
    ["/blog", "/blog/feed.xml", "/sitemap/blog.xml", "/search.json?q=pier+seven", "/news"],
  ],
  [
    "an event",
    "/events/lantern-parade",
    [
      "/",
      "/events",
      "/events.json",
      "/events.ics",
      "/feeds/events.xml",
      "/embed/events",
      "/sitemap/events.xml",
      "/search?q=lantern+parade",
    ],
  ],
])(
  "%s that an editor takes down on one node is gone from the other, until it is published again",
  async (noun, path, paths) => {
    const kind = noun.split(" ").at(-1);
    const [one, other] = cities;
    const Cookie = await signIn(one);
    const deskPath = `/desk/published/${kind}/${path.split("/").at(-1)}`;
    const send = (action: string) =>
      fetch(one.server.url + deskPath, {
        method: "POST",
        headers: { Cookie },
        body: new URLSearchParams({ action }),
        redirect: "manual",
      });
    const readPlaces = () => listPlaces(other, path, paths);
    await expect.poll(readPlaces).toEqual(paths);
    expect((await send("down")).headers.get("Location")).toBe(deskPath);
    await expect.poll(async () => (await get(other, path)).status).toBe(410);
    await expect.poll(readPlaces).toEqual([]);
    if (kind === "event") expect((await get(other, `${path}/calendar.ics`)).status).toBe(410);
    const { output } = await runInServer(other.dataDir, ["validate"]);
    expect(output).toContain(deskPath);
    await send("again");
    await expect.poll(async () => (await get(other, path)).status).toBe(200);
    await expect.poll(readPlaces).toEqual(paths);
  },
);
