import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { readShippedSite } from "../../../tests/support/shipped-site.ts";
import { createLog } from "../../lib/log.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import type { SiteContent, SiteFile } from "../../site-files/site-file.server.ts";
import { eventSubmissions } from "../events/schema.server.ts";
import { goodToKnowFile } from "../feeds/files.server.ts";
import { feedItems, headlines } from "../feeds/schema.server.ts";
import { storySubmissions } from "../stories/schema.server.ts";
import { briefFile } from "./files.server.ts";
import {
  deleteOldBriefs,
  makeBriefNow,
  makeDueBrief,
  removeBrief,
  removeHeadline,
} from "./make.server.ts";
import { readLatestBriefPage } from "./page.server.ts";
import {
  findBrief,
  findLatestBrief,
  findNeighborDays,
  isBriefRemoved,
  listBriefDays,
  listBriefsOfMonth,
} from "./read.server.ts";
import { dailyBriefs } from "./schema.server.ts";

let shipped: SiteContent;
beforeAll(async () => {
  shipped = await readShippedSite();
});

describe("daily briefs", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    for (const table of [dailyBriefs, feedItems, headlines, storySubmissions, eventSubmissions])
      await database.db.delete(table);
  });
  afterAll(() => database.close());

  const servicesAt = (now: string) => ({
    site: shipped,
    db: database.db,
    clock: () => new Date(now),
    log: createLog({ write() {} }),
    tags: { add() {} },
    expireAt() {},
  });
  const make = (now: string) => makeDueBrief(servicesAt(now));
  const days = async () =>
    (await database.db.select({ day: dailyBriefs.day }).from(dailyBriefs)).map(({ day }) => day);

  /** Stores headlines of sources that the shipped sections.yaml has. */
  async function addHeadlines(count: number, shownAt: string) {
    const sourceIds = ["wypr", "baltimore-brew", "baltimore-fishbowl"];
    for (let index = 0; index < count; index += 1) {
      const sourceId = sourceIds[index % sourceIds.length] ?? "";
      const item = {
        sourceId,
        title: `Headline ${index} from Baltimore`,
        link: `https://news.example/${shownAt}/${index}`,
        summary: "What happened.",
        shownAt: new Date(shownAt),
      };
      const [row] = await database.db
        .insert(headlines)
        .values({ ...item, identity: item.link, firstSeenAt: item.shownAt })
        .returning({ id: headlines.id });
      await database.db
        .insert(feedItems)
        .values({ ...item, key: item.link, headlineId: row?.id ?? 0 });
    }
  }

  const addStory = async (slug: string, approvedAt = "2026-11-14T12:00:00Z") => {
    await database.db.insert(storySubmissions).values({
      key: slug,
      slug,
      title: `Story ${slug}`,
      text: "It began with a cat.",
      name: "Ann",
      email: "",
      category: "History",
      day: approvedAt.slice(0, 10),
      state: "approved",
      createdAt: new Date(approvedAt),
      publishedAt: new Date(approvedAt),
    });
    await purge(database.db, [cacheTags.stories]);
  };

  const addEvent = (id: string, startsAt: string, endsAt = startsAt) =>
    database.db.insert(eventSubmissions).values({
      id,
      key: id,
      title: `Event ${id}`,
      location: "Pier 5",
      description: "Bring a chair.",
      category: "Music",
      free: true,
      url: "",
      day: startsAt.slice(0, 10),
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      name: "",
      email: "",
      state: "approved",
      createdAt: new Date("2026-11-14T12:00:00Z"),
    });

  it("are made once per day at seven, or when the server starts after that", async () => {
    expect(await make("2026-11-15T11:59:00Z")).toBe("nothing");
    expect(await make("2026-11-15T12:00:00Z")).toBe("made");
    expect(await make("2026-11-15T12:01:00Z")).toBe("nothing");
    expect(await make("2026-11-16T04:59:00Z")).toBe("nothing");
    // The server was down on the 16th, and starts in the evening of the 17th.
    expect(await make("2026-11-18T03:00:00Z")).toBe("made");
    expect(await days()).toEqual(["2026-11-15", "2026-11-17"]);
    expect(await findNeighborDays(servicesAt("2026-11-18T03:00:00Z"), "2026-11-17")).toMatchObject({
      earlier: { day: "2026-11-15" },
      later: null,
    });
  });

  it("are made once by several nodes", async () => {
    const results = await Promise.all(
      Array.from({ length: 4 }, () => make("2026-11-15T12:00:00Z")),
    );
    expect(results.toSorted()).toEqual(["made", "nothing", "nothing", "nothing"]);
    expect(await days()).toEqual(["2026-11-15"]);
  });

  it("have good-to-know items, marked samples and a fact if there is nothing else", async () => {
    await make("2026-11-15T12:00:00Z");
    const brief = await findLatestBrief(servicesAt("2026-11-15T12:05:00Z"));
    expect(brief).toMatchObject({
      date: "Sunday, November 15, 2026",
      madeAt: { shown: "7:00 AM" },
      headlines: [],
      hasNews: false,
    });
    expect(brief?.goodToKnow).toHaveLength(5);
    expect(brief?.stories).toHaveLength(3);
    expect(brief?.events.length).toBeGreaterThan(0);
    for (const { isSample } of [...(brief?.stories ?? []), ...(brief?.events ?? [])])
      expect(isSample).toBe(true);
    expect(brief?.fact?.text).not.toBe("");
    await make("2026-11-16T12:00:00Z");
    const next = await findLatestBrief(servicesAt("2026-11-16T12:05:00Z"));
    expect(next?.fact).not.toEqual(brief?.fact);
    expect(next?.goodToKnow).not.toEqual(brief?.goodToKnow);
    // The samples give way to the first event and the first story of the city's own.
    await addEvent("concert", "2026-11-20T00:00:00Z");
    await addStory("cat");
    expect(await findLatestBrief(servicesAt("2026-11-16T13:00:00Z"))).toMatchObject({
      events: [],
      stories: [],
    });
  });

  it("of a new city are made as soon as they have something", async () => {
    const values = new Map<string, unknown>([
      [briefFile.path, { ...shipped.read(briefFile), facts: [] }],
      [goodToKnowFile.path, {}],
    ]);
    const site = {
      ...shipped,
      read: <T>(file: SiteFile<T>): T => (values.get(file.path) as T) ?? shipped.read(file),
      readAll: () => [],
    };
    const makeAt = (now: string) => makeDueBrief({ ...servicesAt(now), site });
    expect(await makeAt("2026-11-15T12:00:00Z")).toBe("nothing");
    await addHeadlines(1, "2026-11-15T14:00:00Z");
    expect(await makeAt("2026-11-15T14:01:00Z")).toBe("made");
  });

  it("have no samples if there is something real, and stay as they were", async () => {
    await addHeadlines(6, "2026-11-15T10:00:00Z");
    await addStory("cat");
    await addEvent("concert", "2026-11-16T00:00:00Z");
    // An exhibition is not listed on every day.
    await addEvent("paintings", "2026-11-01T15:00:00Z", "2026-12-20T22:00:00Z");
    await make("2026-11-15T12:00:00Z");
    await database.db.update(feedItems).set({ title: "Changed" });
    await addHeadlines(3, "2026-11-15T12:30:00Z");
    expect(await make("2026-11-15T12:31:00Z")).toBe("nothing");
    const brief = await findBrief(servicesAt("2026-11-20T12:00:00Z"), "2026-11-15");
    expect(brief).toMatchObject({
      hasNews: true,
      goodToKnow: [],
      areEventsToday: true,
      events: [{ title: "Event concert", when: "7:00 PM", path: "/events/concert" }],
      stories: [{ title: "Story cat", path: "/news/cat", isFromReader: true }],
    });
    expect(brief?.headlines).toHaveLength(6);
    expect(brief?.headlines.map(({ title }) => title)).not.toContain("Changed");
    expect(await listBriefsOfMonth(servicesAt("2026-11-20T12:00:00Z"), "2026-11")).toMatchObject([
      { day: "2026-11-15", titles: [expect.stringContaining("Headline"), expect.any(String)] },
    ]);
  });

  it("do not repeat news that our own story tells", async () => {
    await addHeadlines(6, "2026-11-15T10:00:00Z");
    const title = "Harbor ferry will run all winter and stay free";
    await database.db.update(headlines).set({ title }).where(like(headlines.link, "%/0"));
    await database.db.update(feedItems).set({ title }).where(like(feedItems.link, "%/0"));
    await addStory("ferry", "2026-11-15T11:00:00Z");
    await database.db.update(storySubmissions).set({ title });
    await purge(database.db, [cacheTags.stories, cacheTags.headlines]);
    await make("2026-11-15T12:00:00Z");
    const brief = await findBrief(servicesAt("2026-11-15T12:00:00Z"), "2026-11-15");
    expect(brief?.stories).toMatchObject([{ title }]);
    expect(brief?.headlines.map((headline) => headline.title)).not.toContain(title);
    expect(brief?.headlines).toHaveLength(5);
  });

  it("are completed in their first hour, when the headlines of the morning arrive", async () => {
    await addHeadlines(2, "2026-11-14T10:00:00Z");
    await make("2026-11-15T14:00:00Z");
    await addHeadlines(6, "2026-11-15T11:00:00Z");
    expect(await make("2026-11-15T14:02:00Z")).toBe("completed");
    expect(await make("2026-11-15T14:03:00Z")).toBe("nothing");
    const brief = await findLatestBrief(servicesAt("2026-11-15T15:00:00Z"));
    expect(brief?.madeAt.shown).toBe("9:02 AM");
    expect(brief?.headlines.every(({ time }) => time.iso.startsWith("2026-11-15"))).toBe(true);

    await make("2026-11-17T12:00:00Z");
    await addHeadlines(6, "2026-11-17T12:30:00Z");
    expect(await make("2026-11-17T13:00:00Z")).toBe("nothing");
  });

  it("are completed once by several nodes", async () => {
    await make("2026-11-15T12:00:00Z");
    await addHeadlines(6, "2026-11-15T12:10:00Z");
    const results = await Promise.all(
      Array.from({ length: 4 }, () => make("2026-11-15T12:20:00Z")),
    );
    expect(results.toSorted()).toEqual(["completed", "nothing", "nothing", "nothing"]);
  });

  it("do not show stories and readers' events that were removed, and name canceled ones", async () => {
    await addStory("cat");
    await addStory("dog");
    await addEvent("concert", "2026-11-16T00:00:00Z");
    await make("2026-11-15T12:00:00Z");
    await database.db
      .update(storySubmissions)
      .set({ state: "rejected" })
      .where(eq(storySubmissions.slug, "cat"));
    await database.db.update(eventSubmissions).set({ state: "rejected" });
    const services = servicesAt("2026-11-15T15:00:00Z");
    const brief = await findLatestBrief(services);
    expect(brief).toMatchObject({ stories: [{ title: "Story dog" }], events: [] });
    const readStored = async () =>
      JSON.stringify(await database.db.select({ content: dailyBriefs.content }).from(dailyBriefs));
    expect(await readStored()).toContain("Event concert");
    expect(await deleteOldBriefs(services)).toBe(1);
    expect(await readStored()).not.toContain("Event concert");
    expect(await readStored()).not.toContain("Story cat");
    expect(await deleteOldBriefs(services)).toBe(0);
  });

  it("show the corrected title, date and place of an event", async () => {
    await addEvent("concert", "2026-11-16T00:00:00Z");
    await make("2026-11-15T12:00:00Z");
    const services = servicesAt("2026-11-15T15:00:00Z");
    expect(await findLatestBrief(services)).toMatchObject({ events: [{ when: "7:00 PM" }] });
    const startsAt = new Date("2026-11-17T01:00:00Z");
    await database.db
      .update(eventSubmissions)
      .set({ title: "Concert", location: "Pier 6", startsAt, endsAt: startsAt });
    await purge(database.db, [cacheTags.events]);
    const corrected = {
      title: "Concert",
      when: "Monday, November 16, 2026, 8:00 PM",
      location: "Pier 6",
    };
    expect(await findLatestBrief(services)).toMatchObject({ events: [corrected] });
  });

  it("get the stories that are published later on their day, before those of the morning", async () => {
    await addHeadlines(6, "2026-11-15T10:00:00Z");
    await addStory("cat");
    await make("2026-11-15T12:00:00Z");
    const titles = async (now: string) =>
      (await findBrief(servicesAt(now), "2026-11-15"))?.stories.map(({ title }) => title);
    await addStory("dog", "2026-11-15T18:00:00Z");
    expect(await make("2026-11-15T18:01:00Z")).toBe("completed");
    expect(await make("2026-11-15T18:02:00Z")).toBe("nothing");
    expect(await titles("2026-11-15T18:02:00Z")).toEqual(["Story dog", "Story cat"]);
    // A story of the next day is in the brief of that day.
    await addStory("fox", "2026-11-16T11:00:00Z");
    await make("2026-11-16T12:00:00Z");
    expect(await titles("2026-11-16T13:00:00Z")).toEqual(["Story dog", "Story cat"]);
  });

  it("are announced for seven, and after that for as soon as they are made", async () => {
    await make("2026-11-14T12:00:00Z");
    const expiries: Date[] = [];
    const read = (now: string) =>
      readLatestBriefPage({ ...servicesAt(now), expireAt: (instant) => expiries.push(instant) });
    expect((await read("2026-11-15T11:59:00Z")).page?.notice).toBe(
      "This is the latest brief. The brief of today appears at 7:00 AM.",
    );
    // If the brief cannot be made at seven, readers still get the page.
    expect(expiries).not.toContainEqual(new Date("2026-11-15T12:00:00Z"));
    expect((await read("2026-11-15T12:05:00Z")).page?.notice).toBe(
      "This is the latest brief. There is no brief of today yet. It appears as soon as it is made.",
    );
  });

  it("lose a headline that the newsroom removes, for good, or disappear", async () => {
    await addHeadlines(9, "2026-11-15T10:00:00Z");
    await make("2026-11-15T12:00:00Z");
    const services = servicesAt("2026-11-15T12:10:00Z");
    const listTitles = async () =>
      (await findLatestBrief(services))?.headlines.map(({ title }) => title) ?? [];
    const [wrong] = (await findLatestBrief(services))?.headlines ?? [];
    const remove = () => removeHeadline(database.db, "2026-11-15", wrong?.link ?? "");
    expect(await remove()).toBe(true);
    expect(await remove()).toBe(false);
    expect(await listTitles()).toHaveLength(7);
    await makeBriefNow(services, { again: true });
    expect(await listTitles()).toHaveLength(8);
    expect(await listTitles()).not.toContain(wrong?.title);

    expect(await removeBrief(database.db, "2026-11-15")).toBe(true);
    expect(await removeBrief(database.db, "2026-11-15")).toBe(false);
    expect(await removeBrief(database.db, "2026-11-14")).toBe(false);
    expect(await isBriefRemoved(services, "2026-11-15")).toBe(true);
    expect(await make("2026-11-15T12:11:00Z")).toBe("nothing");
    expect(await findLatestBrief(services)).toBeNull();
    expect((await readLatestBriefPage(services)).notice).toBeNull();
    expect(await makeBriefNow(services, { again: false })).toBeNull();
    await makeBriefNow(services, { again: true });
    expect(await listTitles()).toHaveLength(8);
    expect(await listTitles()).not.toContain(wrong?.title);
  });

  it("of a later day, made by a clock that ran ahead, are not shown, and made again on their day", async () => {
    await addHeadlines(6, "2026-11-15T10:00:00Z");
    await make("2026-11-15T12:00:00Z");
    await make("2026-12-03T15:00:00Z");
    await database.db.update(dailyBriefs).set({ hasNews: true });
    const services = servicesAt("2026-11-15T16:00:00Z");
    expect(await findLatestBrief(services)).toMatchObject({ day: "2026-11-15" });
    expect(await findBrief(services, "2026-12-03")).toBeNull();
    expect(await listBriefsOfMonth(services, "2026-12")).toEqual([]);
    expect(await findNeighborDays(services, "2026-11-15")).toEqual({ earlier: null, later: null });
    expect((await listBriefDays(services)).map(({ day }) => day)).toEqual(["2026-11-15"]);
    expect(await deleteOldBriefs(services)).toBe(1);
    expect(await make("2026-12-03T12:00:00Z")).toBe("made");
    expect(await findLatestBrief(servicesAt("2026-12-03T12:01:00Z"))).toMatchObject({
      day: "2026-12-03",
      madeAt: { shown: "7:00 AM" },
    });
  });

  it("can be made again by the newsroom, and are deleted after a year", async () => {
    const services = servicesAt("2026-11-15T10:00:00Z");
    expect(await makeBriefNow(services, { again: false })).toBe("2026-11-15");
    expect(await makeBriefNow(services, { again: false })).toBeNull();
    await addHeadlines(6, "2026-11-15T09:00:00Z");
    expect(await makeBriefNow(services, { again: true })).toBe("2026-11-15");
    expect((await findLatestBrief(services))?.headlines).toHaveLength(6);
    expect(await deleteOldBriefs(servicesAt("2027-11-15T12:00:00Z"))).toBe(0);
    expect(await deleteOldBriefs(servicesAt("2027-11-16T12:00:00Z"))).toBe(1);
  });
});
