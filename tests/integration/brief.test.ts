import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dailyBriefs } from "../../app/features/brief/schema.server.ts";
import { storeIssue } from "../../app/features/newsletter/issues/issue.server.ts";
import { newsletterIssues } from "../../app/features/newsletter/issues/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { findBrokenFeedRules } from "../support/feed-rules.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";

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
    stories: ["marble-steps", "removed-story"],
    fact: { text: "Crabs walk sideways.", link: null },
  },
});

/** A Sunday morning before seven in Baltimore. */
const earlyMorning = "2026-11-15T10:00:00Z";
const morning = "2026-11-15T15:00:00Z";

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let server: RunningServer;
const start = (now: string) =>
  startServer({
    DATA_DIR: folder.path,
    FAKE_NOW: now,
  });

beforeAll(async () => {
  folder = await createDataFolder();
  const database = await openDatabase({ dataDir: folder.path, onError: console.error });
  await database.db.delete(dailyBriefs);
  await database.db
    .insert(dailyBriefs)
    .values([
      storedBrief("2026-10-31", false),
      storedBrief("2026-11-01", true),
      storedBrief("2026-11-13", true),
    ]);
  await database.close();
  server = await start(earlyMorning);
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const get = (path: string) => fetch(server.url + path, { redirect: "manual" });
const read = async (path: string) => (await get(path)).text();

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
    expect(page).toContain('"@type":"CollectionPage"');
    expect(page).toContain('href="/brief/2026-11-01"');
    expect(await read("/brief/2026-10-31")).toContain('content="noindex"');
  });

  it("of the latest day is shown before seven, with the time of the next", async () => {
    const page = await read("/brief");
    expect(page).toContain("Friday, November 13, 2026");
    expect(page.replaceAll("<!-- -->", "")).toContain("The brief of today appears at 7:00 AM.");
  });

  it.each([
    "/brief/2026-11-14",
    "/brief/2026-11-16",
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

  it("can be shown and made by the newsroom", async () => {
    const run = (...args: string[]) => runInServer(folder.path, ["brief", ...args]);
    expect((await run("show")).output).toContain("Friday, November 13, 2026");
    for (const [args, code, message] of [
      [
        ["show", "2026-02-30"],
        2,
        '"2026-02-30" is not a date. Type it as in: ./newsroom brief show 2026-11-15',
      ],
      [["show", "2026-12-24"], 1, "2026-12-24 is in the future, so there is no brief for it yet."],
      [["show", "2026-11-15"], 1, "The brief of today is made at 7:00 AM."],
      [["show", "2026-11-14"], 1, "There is no brief for 2026-11-14."],
      [["remove", "yesterday"], 2, '"yesterday" is not a date.'],
      [["remove", "2026-11-14"], 1, "There is no brief for 2026-11-14."],
      [
        ["remove", "2026-11-13", "--headline", "6"],
        1,
        'The brief of 2026-11-13 has 5 headlines. Run "./newsroom brief show 2026-11-13"',
      ],
      [["show", "2026-11-13"], 0, "  5. Headline 5 of 2026-11-13 (The Example)"],
      [
        ["remove", "2026-11-13", "--headline", "5"],
        0,
        "✓ Removed from the brief of 2026-11-13: Headline 5 of 2026-11-13 (The Example)",
      ],
      [["remove", "2026-11-01"], 0, "✓ Removed the brief of 2026-11-01."],
    ] as const)
      expect(await run(...args)).toMatchObject({
        code,
        output: expect.stringContaining(message),
      });
    await expect.poll(() => read("/brief")).not.toContain("Headline 5 of 2026-11-13");
    expect((await get("/brief/2026-11-01")).status).toBe(404);
  });

  it("is on the newsletter's page until the first issue is sent", async () => {
    expect(await read("/newsletter")).toContain("The Daily Brief, Friday, November 13, 2026");
  });
});

describe("after a newsletter was sent, and after seven", () => {
  beforeAll(async () => {
    await server.stop();
    const database = await openDatabase({ dataDir: folder.path, onError: console.error });
    const now = new Date(morning);
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
      ],
    });
    await database.db.update(newsletterIssues).set({ writtenAt: now });
    await database.close();
    server = await start(morning);
  });

  it("the brief is made when a server starts that was down at seven", async () => {
    await expect.poll(() => read("/brief")).toContain("Sunday, November 15, 2026");
    const page = await read("/brief");
    expect(page).toContain("Good to know");
    expect(page).toContain('<span class="story-mark">Sample</span>');
    expect(page).not.toContain("The brief of today appears");
    const run = (...args: string[]) => runInServer(folder.path, ["brief", "make", ...args]);
    expect(await run()).toMatchObject({
      code: 1,
      output: expect.stringContaining("The brief of today was already made."),
    });
    expect(await run("--again")).toMatchObject({
      code: 0,
      output: expect.stringContaining("✓ Made the brief of 2026-11-15."),
    });
  });

  it("the newsletter's page shows the latest issue, without removed stories and without anything about subscribers", async () => {
    const page = await read("/newsletter");
    const main = page.slice(page.indexOf("<main"), page.indexOf("</main>"));
    expect(main).toContain("The week in Baltimore, November 13, 2026");
    expect(main).toContain('href="/news/marble-steps"');
    expect(main.indexOf("marble-steps")).toBeLessThan(main.indexOf('type="email"'));
    expect(page).not.toContain("removed-story");
    expect(page).not.toContain("{{unsubscribe}}");
  });
});
