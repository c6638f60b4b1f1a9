import { once } from "node:events";
import { readdir, utimes } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { dailyBriefs } from "../../app/features/brief/schema.server.ts";
import { storeIssue } from "../../app/features/newsletter/issues/issue.server.ts";
import { newsletterIssues } from "../../app/features/newsletter/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { findBrokenFeedRules } from "../support/feed-rules.ts";
import { listenTo } from "../support/listener.ts";
import { runInServer } from "../support/newsroom.ts";
import { createDatabase } from "../support/postgres.ts";

const origin = "https://baltimore.harborline.example";
const headline = (day: string, number: number) => ({
  title: `Headline ${number} of ${day}`,
  link: `https://news.example/${day}/${number}?a=1&b=2`,
  source: "The Example",
  summary: "What happened.",
  time: { iso: `${day}T10:00:00.000Z`, shown: "5:00 AM" },
  paywall: number === 1,
});

/** A brief as the server stores it. The stories are a shipped one and one that does not exist. */
const storedBrief = (day: string, hasNews: boolean) => ({
  day,
  hasNews,
  createdAt: new Date(`${day}T12:00:00Z`),
  updatedAt: new Date(`${day}T12:00:00Z`),
  content: {
    headlines: hasNews ? [1, 2, 3, 4, 5].map((number) => headline(day, number)) : [],
    goodToKnow: hasNews ? [] : [{ title: "A note", summary: "It is true.", link: "/faq" }],
    areEventsToday: true,
    events: [
      {
        id: "gone-event",
        title: "A Concert & More",
        when: "7:00 PM",
        location: "Pier 5",
        isSample: false,
        isFromReader: false,
      },
    ],
    meetings: [],
    stories: ["marble-steps", "removed-story"],
    fact: { text: "Crabs walk sideways.", link: null },
    removedLinks: [],
    isRemoved: false,
  },
});

/** A Sunday morning after seven in Baltimore: the server starts at this time. */
const sundayMorning = "2026-11-15T15:00:00Z";
/** The next day before seven, at which most of the tests run. */
const earlyMonday = "2026-11-16T10:20:00Z";

let databaseUrl: string;
let database: OpenDatabase;
let city: TestCity | null = null;

beforeAll(async () => {
  databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  database = await openDatabase({ dataDir: "", databaseUrl, onError: console.error });
  await database.db
    .insert(dailyBriefs)
    .values([
      storedBrief("2026-08-07", true),
      storedBrief("2026-08-08", true),
      storedBrief("2026-10-31", false),
      storedBrief("2026-11-01", true),
      storedBrief("2026-11-13", true),
    ]);
});
beforeEach(async () => {
  if (city) return;
  city = await startCity({}, { DATABASE_URL: databaseUrl, FAKE_NOW: sundayMorning });
  // One of the tests stops the server, and the next server does not make this brief again.
  const briefs = await database.db.select({ day: dailyBriefs.day }).from(dailyBriefs);
  if (!briefs.some(({ day }) => day === "2026-11-15"))
    await city.server.waitForOutput("brief.made");
  await city.server.setClock(earlyMonday);
});
afterAll(async () => {
  await city?.close();
  await database?.close();
});

const runningCity = (): TestCity => {
  if (!city) throw new Error("The server is not running.");
  return city;
};
const get = (path: string) => fetch(runningCity().server.url + path, { redirect: "manual" });
const read = async (path: string) => (await get(path)).text();
const newsroom = (...args: string[]) => runInServer(runningCity().dataDir, args);

describe("the daily brief", () => {
  it("of an earlier day is a page with its headlines, without what was removed", async () => {
    const page = await read("/brief/2026-11-13");
    expect(page).toContain("Friday, November 13, 2026");
    expect(page).toContain('href="https://news.example/2026-11-13/1?a=1&amp;b=2"');
    expect(page).toContain("Crabs walk sideways.");
    expect(page).toContain('href="/news/marble-steps"');
    expect(page).not.toContain("removed-story");
    expect(page).toContain("A Concert &amp; More");
    expect(page).not.toContain('href="/events/gone-event"');
    expect(page).toContain(`<link rel="canonical" href="${origin}/brief/2026-11-13"/>`);
    expect(page).toContain('href="/brief/2026-11-01"');
    expect(await read("/brief/2026-10-31")).toContain('content="noindex"');
  });

  it("of today is made when a server starts that was down at seven", async () => {
    const page = await read("/brief/2026-11-15");
    expect(page).toContain("Sunday, November 15, 2026");
    expect(page).toContain("Good to know");
    expect(page).toContain(">Sample</span>");
  });

  it("of the latest day is shown before seven, with the time of the next", async () => {
    const page = await read("/brief");
    expect(page).toContain("Sunday, November 15, 2026");
    expect(page.replaceAll("<!-- -->", "")).toContain("The brief of today appears at 7:00 AM.");
    expect(await read("/brief/2026-11-15")).not.toContain("The brief of today appears");
  });

  it.each([
    "/brief/2026-11-14",
    "/brief/2026-11-16",
    "/brief/2026-11-17",
    "/brief/2026-02-30",
    "/brief/2026-11-5",
    "/brief/latest",
  ])("does not exist at %s", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Oops! Page not found");
  });

  it("has an archive by month", async () => {
    const latest = await read("/brief/archive");
    expect(latest).toContain("Headline 1 of 2026-11-13");
    expect(latest).toContain('href="/brief/2026-11-01"');
    expect(latest).not.toContain('href="/brief/2026-10-31"');
    expect(latest).toContain('href="/brief/archive?month=2026-10"');
    expect(await read("/brief/archive?month=2026-10")).toContain('href="/brief/2026-10-31"');
    expect((await get("/brief/archive?month=2019-01")).headers.get("location")).toBe(
      "/brief/archive",
    );
  });

  it.each(["xml", "atom", "json"] as const)(
    "has a valid .%s feed without samples and without days that have only these",
    async (extension) => {
      const text = await read(`/feeds/brief.${extension}`);
      expect(findBrokenFeedRules(extension, text)).toEqual([]);
      expect(text).toContain(`${origin}/brief/2026-11-13`);
      expect(text).toContain("Headline 5 of 2026-11-01");
      expect(text).not.toContain("2026-10-31");
      expect(text).not.toContain("marble-steps");
    },
  );

  it("is in the sitemap, except days that have only samples", async () => {
    const days = await read("/sitemap/brief.xml");
    expect(days).toContain(`${origin}/brief/2026-11-13`);
    expect(days).not.toContain("2026-10-31");
    expect(await read("/sitemap/pages.xml")).toContain(`${origin}/brief<`);
  });

  it("can be made and removed by the newsroom", async () => {
    const run = (...args: string[]) => newsroom("brief", ...args);
    for (const [args, code, message] of [
      [["remove", "yesterday"], 2, '"yesterday" is not a date.'],
      [["remove", "2026-11-14"], 1, "There is no brief for 2026-11-14."],
      [["remove", "2026-08-08", "--headline", "6"], 1, "The brief of 2026-08-08 has 5 headlines."],
      [
        ["remove", "2026-08-08", "--headline", "5"],
        0,
        "✓ Removed from the brief of 2026-08-08: Headline 5 of 2026-08-08 (The Example)",
      ],
      [["remove", "2026-08-07"], 0, "✓ Removed the brief of 2026-08-07."],
    ] as const)
      expect(await run(...args)).toMatchObject({
        code,
        output: expect.stringContaining(message),
      });
    await expect.poll(() => read("/brief/2026-08-08")).not.toContain("Headline 5 of 2026-08-08");
    expect((await get("/brief/2026-08-07")).status).toBe(404);

    await runningCity().server.setClock("2026-11-15T18:00:00Z");
    const made = await run("make");
    const madeAgain = await run("make", "--again");
    await runningCity().server.setClock(earlyMonday);
    expect(made).toMatchObject({
      code: 1,
      output: expect.stringContaining("The brief of today was already made."),
    });
    expect(madeAgain).toMatchObject({
      code: 0,
      output: expect.stringContaining("✓ Made the brief of 2026-11-15."),
    });
  });
});

describe("the newsletter's page", () => {
  it("shows the brief until the first issue is sent, and then the latest issue, with current titles, without removed stories and posts and without anything about subscribers", async () => {
    await database.db.delete(newsletterIssues);
    await newsroom("purge");
    await expect
      .poll(() => read("/newsletter"))
      .toContain("The Daily Brief, Sunday, November 15, 2026");

    const now = new Date(sundayMorning);
    await storeIssue(database.db, () => now, {
      id: "2026-11-13",
      confirmedBy: now,
      subject: "The week in Baltimore, November 13, 2026",
      text: "Unsubscribe: {{unsubscribe}}",
      html: '<a href="{{unsubscribe}}">Unsubscribe</a>',
      sections: [
        {
          heading: "From our newsroom",
          items: [
            { title: "Steps", link: `${origin}/news/marble-steps`, line: "Of marble." },
            { title: "Removed", link: `${origin}/news/removed-story`, line: "" },
          ],
          more: { label: "All our stories", link: `${origin}/stories` },
        },
        {
          heading: "From our blog",
          items: [
            {
              title: "Old title",
              link: `${origin}/blog/formstone-and-the-rowhouse`,
              line: "Old line.",
            },
            { title: "Withdrawn", link: `${origin}/blog/withdrawn-post`, line: "" },
          ],
          more: { label: "All posts", link: `${origin}/blog` },
        },
        {
          heading: "Corrections",
          items: [
            {
              title: "Steps",
              link: `${origin}/news/marble-steps`,
              line: "Correction, November 12, 2026: There are five steps.",
            },
          ],
          more: null,
        },
      ],
    });
    await database.db.update(newsletterIssues).set({ writtenAt: now });
    await newsroom("purge");
    await expect
      .poll(() => read("/newsletter"))
      .toContain("The week in Baltimore, November 13, 2026");
    const page = await read("/newsletter");
    const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
    expect(main).toContain("The week in Baltimore, November 13, 2026");
    expect(main).toContain('href="/news/marble-steps"');
    expect(main.indexOf("marble-steps")).toBeLessThan(main.indexOf('type="email"'));
    expect(page).not.toContain("removed-story");
    expect(page).not.toContain("withdrawn-post");
    expect(main).toContain('href="/blog/formstone-and-the-rowhouse"');
    expect(main).not.toMatch(/Old title|Old line|Steps<|Of marble\./);
    expect(main).toContain("Correction, November 12, 2026: There are five steps.");
    expect(page).not.toContain("{{unsubscribe}}");
  });
});

describe("the radio", () => {
  it("lists what it played in the last hour on its page, without JavaScript and before anyone listens", async () => {
    // Before the last change of its files, the station played something else.
    const folder = join(runningCity().siteFolder, "radio");
    const changedAt = new Date("2026-11-01T12:00:00Z");
    for (const name of ["", ...(await readdir(folder))])
      await utimes(join(folder, name), changedAt, changedAt);
    const readOnAir = async () => {
      await newsroom("purge");
      return (await get("/radio.json")).json();
    };
    await expect.poll(async () => (await readOnAir()).played.length).toBeGreaterThan(0);
    const { played, now, next } = await readOnAir();
    expect(played[0].time).toMatch(/^5:\d\d AM$/);
    expect([now.day, next.length]).toEqual(["Today", 4]);
    const response = await get("/radio");
    const html = await response.text();
    for (const text of [
      played[0].time,
      played[0].title,
      now.title,
      next[0].hours,
      "Sample schedule",
    ])
      expect(html).toContain(text);
    // The list is at most half a minute old in any cache.
    expect(response.headers.get("cache-control")).toMatch(/s-maxage=(?:[12]?\d|30),/);
  });

  it("ends as soon as the server stops, while other requests are completed", async () => {
    const { server, close } = runningCity();
    const listener = await listenTo(`${server.url}/api/stream?port=8076`);
    const body = "email=ann@example.com";
    const form = request(`${server.url}/newsletter`, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": body.length,
        Expect: "100-continue",
      },
    });
    form.flushHeaders();
    await once(form, "continue");
    server.process.kill("SIGTERM");
    await listener.closed;
    form.end(body);
    const [response] = await once(form, "response");
    expect(response.statusCode).toBe(200);
    response.resume();
    city = null;
    await close();
  });
});
