import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { createSiteContent } from "../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { createImagePicker } from "../../lib/images/art.ts";
import { createLog } from "../../lib/log.ts";
import type { SiteFile } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { dailyBriefs } from "../brief/schema.server.ts";
import { embedsFile } from "../embeds/files.server.ts";
import { eventsFile, eventsFolder } from "../events/files.server.ts";
import { calendarEvents } from "../events/import/schema.server.ts";
import { importedSource } from "../events/import/store.server.ts";
import { readHomeEvents } from "../events/listing/coming.server.ts";
import { meetingsFile } from "../events/meetings/files.server.ts";
import { eventSubmissions } from "../events/schema.server.ts";
import { goodToKnowFile, sectionsFile } from "../feeds/files.server.ts";
import { moveShownToEnd, readHeadlineBlocks } from "../feeds/listing/blocks.server.ts";
import { readHeadlineList, readSection } from "../feeds/listing/content.server.ts";
import { archiveSection, newsSection, type ShortList } from "../feeds/model.ts";
import { feedItems, headlines } from "../feeds/schema.server.ts";
import { neighborhoodsFile } from "../places/files.server.ts";
import { radioFile } from "../radio/files.server.ts";
import { newsFolder } from "../stories/files.server.ts";
import { recordFromFile, type StoryRecord } from "../stories/record.server.ts";
import { weatherFile } from "../weather/files.server.ts";
import { homeFile } from "./files.server.ts";
import { pickHomeStories, pickLeadStory } from "./stories.server.ts";
import { readToday } from "./today.server.ts";

const timeZone = "America/New_York";
const signature = "Harborline";
/** 11 PM on Sunday in Baltimore, which is already Monday in UTC. */
const now = new Date("2026-11-16T04:00:00Z");
const midnight = new Date("2026-11-16T05:00:00Z");

const source = (name: string, more = "") =>
  `{ name: ${name}, url: "https://${name}.example/"${more} }`;
const section = (heading: string, feeds: Record<string, string[]>) =>
  `{ heading: ${heading}, intro: About it., description: About it., feeds: { ${Object.entries(feeds)
    .map(([id, sources]) => `${id}: { title: T, description: D, sources: [${sources.join()}] }`)
    .join()} } }`;
const sections = `
places: [Hampden]
widgetPoster: { file: widget.svg, alt: "" }
sections:
  news: ${section("News", { latest: [] })}
  local: ${section("Local News", { local: [source("brew", ", front: true"), source("fishbowl"), source("county", ", onlyPlaces: true")] })}
  politics: ${section("Politics", { politics: [source("matters"), source("brew")] })}
  sports: ${section("Sports", { baseball: [source("orioles")], golf: [source("espn")] })}
  archives: ${section("Archives", { older: [] })}
`;

const event = (title: string, day: string, from: string, until: string, more = "") => `---
title: ${title}
excerpt: Come along.
category: Music
location: The pier
${more}
starts: { on: ${day}, at: "${from}" }
ends: { on: ${day}, at: "${until}" }
---
Text.
`;

const shippedFiles = [
  siteSettingsFile,
  eventsFile,
  meetingsFile,
  radioFile,
  goodToKnowFile,
  embedsFile,
  neighborhoodsFile,
  weatherFile,
];

function readCity(events: Record<string, string> = {}) {
  const values = new Map<string, unknown>();
  const add = (file: SiteFile<unknown>, text: string) => {
    const parsed = file.parse(text);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    values.set(file.path, parsed.value);
  };
  for (const file of shippedFiles) add(file, readFileSync(`sites/baltimore/${file.path}`, "utf8"));
  add(sectionsFile, sections);
  for (const [id, text] of Object.entries(events)) add(eventsFolder.file(`${id}.md`), text);
  return createSiteContent(values);
}

function story(date: string, id = "ferry", more = "") {
  const parsed = newsFolder.file(`${id}.md`).parse(`---
title: Harbor ferry will run all winter, and stay free
excerpt: The city found the money to keep the boats to Canton in service. 4,000 people had signed.
category: History
date: ${date}
image: { file: ${id}.svg, alt: A ferry }
${more}
---
Text.
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return recordFromFile(parsed.value, timeZone);
}

describe("today's content", () => {
  let database: OpenDatabase;
  let tags: Set<string>;
  let expiries: Date[];
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of [dailyBriefs, feedItems, headlines, eventSubmissions, calendarEvents])
      await database.db.delete(table);
    tags = new Set();
    expiries = [];
  });

  /** Stores a headline that its source published and we found this many minutes ago. */
  async function addHeadline(sourceId: string, title: string, minutesAgo: number) {
    const at = new Date(now.getTime() - minutesAgo * 60_000);
    const link = `https://paper.example/${encodeURIComponent(title)}`;
    const [row] = await database.db
      .insert(headlines)
      .values({
        identity: link,
        sourceId,
        title,
        link,
        summary: "",
        firstSeenAt: new Date(at.getTime() + 60_000),
        shownAt: at,
      })
      .returning({ id: headlines.id });
    if (!row) throw new Error("not stored");
    await database.db
      .insert(feedItems)
      .values({ sourceId, key: link, headlineId: row.id, link, title, shownAt: at });
    return row.id;
  }

  /** Stores that another source has the same headline now. */
  const addFeedItem = (sourceId: string, title: string, headlineId: number) =>
    database.db.insert(feedItems).values({
      sourceId,
      key: "shared",
      headlineId,
      link: `https://${sourceId}.example/shared`,
      title,
      shownAt: now,
    });

  const titlesIn = (list: ShortList) =>
    (list.kind === "headlines" ? list.headlines : list.items).map(({ title }) => title);

  const createServices = (site = readCity(), db = database.db) => ({
    site,
    db,
    clock: () => now,
    log: createLog({ write: () => true }),
    tags,
    expireAt: (instant: Date) => expiries.push(instant),
    timeZone,
    signature,
  });

  it("has the five newest local headlines, at most two of one source, and when they changed", async () => {
    for (const minutes of [10, 20, 30, 40]) await addHeadline("brew", `Brew ${minutes}`, minutes);
    await addHeadline("fishbowl", "Fishbowl 25", 25);
    await addHeadline("fishbowl", "Fishbowl 35", 35);
    await addHeadline("county", "A fair in Towson", 1);
    await addHeadline("county", "A fair in Hampden", 50);
    await addHeadline("orioles", "A game", 2);
    const today = await readToday(createServices(), story("2026-11-15 09:00"));
    expect(today.day).toEqual({ iso: "2026-11-15", shown: "Sunday, November 15, 2026" });
    expect(today.updated).toEqual({ iso: "2026-11-16T03:51:00.000Z", shown: "10:51 PM" });
    if (today.local.kind !== "headlines") return expect.unreachable();
    expect(today.local.headlines.map(({ title, source }) => [title, source])).toEqual([
      ["Brew 10", "brew"],
      ["Brew 20", "brew"],
      ["Fishbowl 25", "fishbowl"],
      ["Fishbowl 35", "fishbowl"],
      ["A fair in Hampden", "county"],
    ]);
    expect(today.lead).toMatchObject({ kind: "story", story: { slug: "ferry" } });
    expect(today.alsoReportedBy).toEqual([]);
    expect(today.onAir?.station).toBe("Harborline Radio");
    expect(tags).toEqual(
      new Set(["brief", "source:brew", "source:fishbowl", "source:county", "events", "weather"]),
    );
    expect(expiries).toContainEqual(midnight);
  });

  it("has headlines in capitals in sentence case with the city's names, and stores them as received", async () => {
    await addHeadline("brew", "BPD: MAN SHOT NEAR I-95 IN HAMPDEN, MARYLAND", 10);
    const { local } = await readToday(createServices(), story("2026-11-15 09:00"));
    if (local.kind !== "headlines") return expect.unreachable();
    expect(local.headlines[0]?.title).toBe("BPD: Man shot near I-95 in Hampden, Maryland");
    const [stored] = await database.db.select({ title: feedItems.title }).from(feedItems);
    expect(stored?.title).toBe("BPD: MAN SHOT NEAR I-95 IN HAMPDEN, MARYLAND");
  });

  it("lists newsrooms that report the news of our story with it, and not their headlines", async () => {
    await addHeadline("brew", "Free harbor ferry will run all winter, city says", 30);
    const shared = await addHeadline(
      "fishbowl",
      "City to keep free harbor ferry through winter",
      40,
    );
    await addFeedItem("county", "City to keep free harbor ferry through winter, Hampden", shared);
    await addHeadline("brew", "City council delays vote on harbor tax until winter", 50);
    await addHeadline("fishbowl", "Harbor ferry will run 90 days this winter, and stay free", 60);
    await addHeadline("county", "Hampden: free harbor ferry will run all winter", 3 * 24 * 60);
    const { lead, alsoReportedBy, local } = await readToday(
      createServices(),
      story("2026-11-15 20:00"),
    );
    expect(lead).toMatchObject({ kind: "story", story: { slug: "ferry" } });
    expect(alsoReportedBy).toEqual([
      { source: "brew", link: expect.stringContaining("Free%20harbor") },
      { source: "fishbowl", link: expect.stringContaining("City%20to%20keep") },
      { source: "county", link: "https://county.example/shared" },
    ]);
    expect(titlesIn(local), "other news, another number, another week").toEqual([
      "City council delays vote on harbor tax until winter",
      "Harbor ferry will run 90 days this winter, and stay free",
      "Hampden: free harbor ferry will run all winter",
    ]);
  });

  it("begins with the newest headline if there is no story of ours, and says who else has it", async () => {
    const shared = await addHeadline("brew", "Council votes on the harbor tax", 10);
    await addFeedItem("fishbowl", "Council votes on the harbor tax", shared);
    await addHeadline("fishbowl", "Fishbowl 20", 20);
    const { lead, alsoReportedBy, local } = await readToday(createServices(), null);
    expect(lead).toMatchObject({
      kind: "headline",
      headline: { title: "Council votes on the harbor tax", source: "brew" },
    });
    expect(alsoReportedBy).toEqual([
      { source: "fishbowl", link: "https://fishbowl.example/shared" },
    ]);
    expect(titlesIn(local)).toEqual(["Fishbowl 20"]);
  });

  it("was not updated before the newest headline, whose source may have changed its date", async () => {
    const id = await addHeadline("brew", "A vote", 5);
    const yesterday = new Date(now.getTime() - 24 * 60 * 60_000);
    await database.db.update(headlines).set({ firstSeenAt: yesterday }).where(eq(headlines.id, id));
    const { updated } = await readToday(createServices(), null);
    expect(updated?.shown).toBe("10:55 PM");
  });

  it("says on which day the content last changed if that was not today", async () => {
    await addHeadline("brew", "Yesterday", 24 * 60);
    const { updated } = await readToday(createServices(), story("2026-11-10"));
    expect(updated?.shown).toBe("Nov 14, 11:01 PM");
    const other = await readToday(createServices(), story("2026-11-15"));
    expect(other.updated, "only the day is known, and the dateline has it").toBeNull();
  });

  it("was updated when the leading story was, but not before a coming update", async () => {
    await addHeadline("brew", "Earlier", 60);
    const readUpdated = async (updated: string) => {
      const lead = { ...story("2026-11-10"), updated };
      return (await readToday(createServices(), lead)).updated?.shown;
    };
    expect(await readUpdated("2026-11-15 22:22")).toBe("10:22 PM");
    expect(await readUpdated("2026-11-15 23:30")).toBe("10:01 PM");
  });

  it("announces the brief of today only if it is made, and otherwise that of yesterday", async () => {
    const readBrief = async () => (await readToday(createServices(), null)).brief;
    const addBrief = (day: string) => {
      const lists = { headlines: [], goodToKnow: [], events: [], meetings: [], stories: [] };
      const removed = { removedLinks: [], isRemoved: false };
      const content = { ...lists, ...removed, areEventsToday: false, fact: null };
      const times = { createdAt: now, updatedAt: now };
      return database.db.insert(dailyBriefs).values({ day, hasNews: false, content, ...times });
    };
    await addBrief("2026-11-13");
    expect(await readBrief()).toBeNull();
    await addBrief("2026-11-14");
    expect(await readBrief()).toBe("yesterday");
    await addBrief("2026-11-15");
    expect(await readBrief()).toBe("today");
    expect(tags).toContain("brief");
  });

  it("has only events that begin later today, in the city's time zone", async () => {
    const events = {
      over: event("Over", "2026-11-15", "19:00", "21:00"),
      running: event("Running", "2026-11-15", "22:00", "23:30"),
      late: event("Late", "2026-11-15", "23:30", "23:45"),
      third: event("Third", "2026-11-15", "23:59", "23:59"),
      second: event("Second", "2026-11-15", "23:50", "23:50"),
      tomorrow: event("Tomorrow", "2026-11-16", "00:30", "02:00"),
    };
    const today = await readToday(createServices(readCity(events)), null);
    expect(today.events?.map(({ title, timeLine }) => [title, timeLine])).toEqual([
      ["Late", "11:30\u00a0PM – 11:45\u00a0PM"],
      ["Second", "11:50\u00a0PM"],
    ]);
    expect(expiries).toContainEqual(new Date("2026-11-16T04:30:00Z"));
    const { tomorrow } = events;
    expect((await readToday(createServices(readCity({ tomorrow })), null)).events).toEqual([]);
  });

  const samples = {
    one: event("Sample one", "2026-11-15", "23:30", "23:45", "sample: true"),
    two: event("Sample two", "2026-11-17", "19:00", "20:00", "sample: true"),
  };
  const eventTime = (day: string) => ({
    startsAt: new Date(`${day}T20:00:00Z`),
    endsAt: new Date(`${day}T21:00:00Z`),
  });
  const addImportedEvent = (id: string, day: string) =>
    database.db.insert(calendarEvents).values({
      ...eventTime(day),
      id,
      title: id,
      series: id,
      source: importedSource,
      firstSeenAt: now,
      seenAt: now,
      description: "",
      location: "",
      url: "",
      categories: [],
      allDay: false,
      cancelled: false,
    });
  const addReaderEvent = (id: string, day: string) =>
    database.db.insert(eventSubmissions).values({
      ...eventTime(day),
      id,
      key: id,
      title: id,
      day,
      category: "Music",
      free: true,
      state: "approved",
      location: "",
      description: "",
      url: "",
      name: "",
      email: "",
      createdAt: now,
    });

  it.each([
    ["the newsroom", { real: event("Real", "2026-11-20", "19:00", "20:00") }, () => {}],
    ["a calendar", {}, () => addImportedEvent("Fair", "2026-12-20")],
    ["a reader, even if it is over", {}, () => addReaderEvent("Party", "2026-11-01")],
  ])("has no sample events once there is an event of %s on any day", async (_, files, add) => {
    const readTitles = async (events: Record<string, string>) =>
      (await readToday(createServices(readCity(events)), null)).events?.map(({ title }) => title);
    expect(await readTitles(samples)).toEqual(["Sample one"]);
    await add();
    expect(await readTitles({ ...samples, ...files })).toEqual([]);
  });

  it("is followed by upcoming events of every kind, and by samples only if there are too few", async () => {
    const readTitles = async () =>
      (await readHomeEvents(createServices(readCity(samples)), ["one", "two"])).map(
        ({ title }) => title,
      );
    expect(await readTitles()).toEqual(["Sample one", "Sample two"]);
    await addReaderEvent("Party", "2027-01-10");
    expect(await readTitles()).toEqual(["Party", "Sample one"]);
    await addImportedEvent("Fair", "2026-12-20");
    expect(await readTitles()).toEqual(["Fair", "Party"]);
  });

  const parsedHome = homeFile.parse(readFileSync("sites/baltimore/home.yaml", "utf8"));
  if (!parsedHome.ok) throw new Error(JSON.stringify(parsedHome.problems));
  const home = parsedHome.value;

  it("begins with our pinned story, or with our newest of today and yesterday, and never with a sample", () => {
    const pick = (...stories: StoryRecord[]) => pickLeadStory(stories, now, timeZone)?.slug ?? null;
    const [today, yesterday] = [story("2026-11-15", "a"), story("2026-11-14 00:00", "b")];
    const pinned = story("2026-10-01", "c", "pinned: true");
    const fromReader = { ...story("2026-11-15 22:00", "d"), isFromReader: true };
    expect(pick(yesterday, today)).toBe("a");
    expect(pick(yesterday)).toBe("b");
    expect(pick(story("2026-11-13 23:59", "old"))).toBeNull();
    expect(pick(story("2026-11-15", "sample", "sample: true\npinned: true"))).toBeNull();
    expect(pick(today, pinned)).toBe("c");
    expect(pick(yesterday, fromReader)).toBe("b");
    expect(pick(fromReader)).toBe("d");
  });

  it("is followed by our other stories, and by samples only if there are too few, even if home.yaml names these", () => {
    const ids = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
    const sampleStories = ids("s", 8).map((id, index) =>
      story(`2026-11-${18 - index}`, id, "sample: true"),
    );
    const pick = (count: number) => {
      const own = ids("r", count).map((id, index) => story(`2026-11-${15 - index}`, id));
      const stories = [...own, ...sampleStories];
      const lead = pickLeadStory(stories, now, timeZone);
      const named = { ...home, featured: ["r1", "s7"], community: ["s6", "s8"] };
      const { featured, community } = pickHomeStories(stories, lead, named, (image) => image);
      return [[lead], featured, community].map((list) => list.map((each) => each?.slug).join());
    };
    expect(pick(0)).toEqual(["", "s7,s1,s2", "s6,s8"]);
    expect(pick(1)).toEqual(["r1", "s7,s1,s2", "s6,s8"]);
    expect(pick(4)).toEqual(["r1", "r2,r3,r4", "s6,s8"]);
    expect(pick(6)).toEqual(["r1", "r2,r3,r4", "r5,r6"]);
  });

  it("is followed by cards of which none repeats an image of the page", () => {
    const withImage = (id: string, file: string) => {
      const record = story("2026-11-15", id);
      return { ...record, image: { ...record.image, file } };
    };
    const pickImage = createImagePicker(new Set(["/art/lead.jpg"]));
    const photo = (width: number) => `/art/pier.jpg/${width}.jpg?v=1`;
    const { featured, community } = pickHomeStories(
      [
        withImage("e", photo(1600)),
        withImage("d", "/art/lead.jpg/960.jpg?v=1"),
        withImage("c", photo(960)),
        withImage("b", "boat.svg"),
        withImage("a", "boat.svg"),
      ],
      null,
      { ...home, community: [] },
      pickImage,
    );
    expect([...featured, ...community].map(({ slug, image }) => [slug, image.file])).toEqual([
      ["e", photo(1600)],
      ["d", ""],
      ["c", ""],
      ["b", "boat.svg"],
      ["a", ""],
    ]);
  });

  it("begins with a good-to-know item if there are no headlines and no story of ours", async () => {
    const { lead, local, updated } = await readToday(createServices(), null);
    expect(updated).toBeNull();
    expect(local).toMatchObject({ kind: "good-to-know", signature });
    if (lead?.kind !== "good-to-know" || local.kind !== "good-to-know") return expect.unreachable();
    expect(new Set([lead.item, ...local.items].map(({ title }) => title)).size).toBe(5);
    const withStory = await readToday(createServices(), story("2026-11-15"));
    expect(withStory.lead).toMatchObject({ kind: "story" });
    expect(withStory.local.kind === "good-to-know" && withStory.local.items).toHaveLength(5);
  });

  it("has blocks for /news, with each headline once and one good-to-know item in place of none", async () => {
    for (const minutes of [10, 20, 30]) await addHeadline("brew", `Brew ${minutes}`, minutes);
    const shared = await addHeadline("matters", "Maryland Matters 40", 40);
    await addFeedItem("fishbowl", "Maryland Matters 40", shared);
    const services = createServices();
    const blocks = await readHeadlineBlocks(services, []);
    const titlesOf = (path: string) => {
      const list = blocks.find((block) => block.path === path)?.list;
      return list?.kind === "headlines" ? list.headlines.map(({ title }) => title) : list;
    };
    expect(blocks.map(({ label }) => label)).toEqual(["Local", "Politics", "Sports"]);
    expect(titlesOf("/local")).toEqual(["Maryland Matters 40", "Brew 10", "Brew 20"]);
    expect(titlesOf("/politics")).toEqual(["Brew 30"]);
    expect(titlesOf("/sports")).toMatchObject({ kind: "good-to-know", items: [{}] });
    const news = await readSection(services, newsSection, null);
    const [feed] = moveShownToEnd(news?.feeds ?? [], blocks.slice(0, 1));
    if (feed?.shows.kind !== "headlines") return expect.unreachable();
    expect(
      feed.shows.headlines.map(({ title }) => title),
      "what the block above does not show comes first",
    ).toEqual(["Brew 30", "Brew 10", "Brew 20"]);
  });

  it("has the headlines of all sections on /news and old ones on /archives, whatever the names of their feeds", async () => {
    await addHeadline("brew", "Brew today", 10);
    await addHeadline("brew", "Brew last week", 8 * 24 * 60);
    const services = createServices();
    const titlesOn = async (name: string) => {
      const section = await readSection(services, name, null);
      return section?.feeds.map(({ id, shows }) => [
        id,
        shows.kind === "headlines" ? shows.headlines.map(({ title }) => title) : shows.kind,
      ]);
    };
    expect(await titlesOn(newsSection)).toEqual([["latest", ["Brew today", "Brew last week"]]]);
    expect(await titlesOn(archiveSection)).toEqual([["older", ["Brew last week"]]]);
    const followed = await readHeadlineList(services, newsSection);
    expect(followed?.headlines.map(({ title }) => title)).toEqual(["Brew today", "Brew last week"]);
  });

  it("has our news in the blocks of /news only once: not also as a headline of another newsroom", async () => {
    const same = "Harbor ferry will run all winter";
    await addHeadline("brew", same, 10);
    await addHeadline("brew", "Brew 20", 20);
    const services = createServices();
    const stories = [story("2026-11-15")];
    const readLocal = async (own: typeof stories) => {
      const [block] = await readHeadlineBlocks(services, own);
      return block && titlesIn(block.list);
    };
    expect(await readLocal([])).toEqual([same, "Brew 20"]);
    expect(await readLocal(stories)).toEqual(["Brew 20"]);
  });
});
