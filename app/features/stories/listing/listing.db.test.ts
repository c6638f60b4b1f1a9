import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertRows } from "../../../../db/bulk.ts";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { instantAt } from "../../../lib/dates.ts";
import { createLog } from "../../../lib/log.ts";
import type { SiteFile } from "../../../site-files/site-file.server.ts";
import { aboutFile } from "../../about/files.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { newsFolder, submitStoryFile } from "../files.server.ts";
import { rememberPublished } from "../remembered.server.ts";
import { rememberedStories, storySubmissions } from "../schema.server.ts";
import {
  listFileStoriesAndDrafts,
  readNewestLocalStories,
  readNewsroomBlock,
} from "../stories.server.ts";
import { findStoryPage } from "../story-page.server.ts";
import { readArchivedStories, readStoryList } from "./list.server.ts";

const now = new Date("2026-11-15T17:00:00Z");
const shippedFiles = [siteSettingsFile, sectionsFile, aboutFile, submitStoryFile];

/** A story file with these settings in addition to the required ones. */
const story = (date: string, category: string, settings = "") => `---
title: Title
excerpt: What it is about.
category: ${category}
date: ${date}
image: { file: arabber.svg, alt: A horse }
${settings}
---
Text.
`;

/** The city's files, with these stories by id. */
function readCity(stories: Record<string, string>) {
  const values = new Map<string, unknown>();
  const add = (file: SiteFile<unknown>, source: string) => {
    const parsed = file.parse(source);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    values.set(file.path, parsed.value);
  };
  for (const file of shippedFiles) add(file, readFileSync(`sites/baltimore/${file.path}`, "utf8"));
  for (const [id, source] of Object.entries(stories)) add(newsFolder.file(`${id}.md`), source);
  return createSiteContent(values);
}

describe("our stories", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.db.delete(storySubmissions);
    await database.db.delete(rememberedStories);
  });
  afterAll(() => database.close());

  const createServices = (stories: Record<string, string>) => ({
    site: readCity(stories),
    db: database.db,
    clock: () => now,
    log: createLog({ write: () => {} }),
    tags: { add() {} },
    expireAt() {},
  });

  const addReaderStory = (slug: string, day: string, category: string, time = "00:00") =>
    database.db.insert(storySubmissions).values({
      key: slug,
      slug,
      day,
      publishedAt: instantAt(day, time, "America/New_York"),
      category,
      title: slug,
      text: "It began with a cat.",
      name: "Ann",
      email: "",
      state: "approved",
      createdAt: now,
    });

  const readList = async (stories: Record<string, string>, query: string) => {
    const list = await readStoryList(createServices(stories), new URLSearchParams(query));
    return {
      ...list,
      ids: list.groups.flatMap((group) => group.stories.map(({ slug }) => slug)),
      months: list.months.map(({ value }) => value),
      categories: list.categories.map(({ value }) => value),
    };
  };

  it("are listed by month, the newsroom's and the readers' together, without drafts and scheduled stories", async () => {
    await addReaderStory("the-cat", "2026-11-03", "history");
    const stories = {
      lamp: story("2026-11-14 09:00", "History"),
      wheel: story("2026-10-31 23:30", "Real Estate"),
      draft: story("2026-09-01", "Draft", "draft: true"),
      later: story("2026-12-01", "Later"),
    };
    const all = await readList(stories, "");
    expect(all.ids).toEqual(["lamp", "the-cat", "wheel"]);
    expect(all.groups.map(({ label }) => label)).toEqual(["November 2026", "October 2026"]);
    expect(all.categories).toEqual(["history", "real-estate"]);
    const history = await readList(stories, "category=history");
    expect(history).toMatchObject({
      ids: ["lamp", "the-cat"],
      months: ["2026-11"],
      filterLabel: "History",
    });
    expect((await readList(stories, "month=2026-10")).ids).toEqual(["wheel"]);
  });

  it("have one story per path: a reader's story stays when a file with its name is saved", async () => {
    await addReaderStory("lamp", "2026-11-03", "Community");
    const services = createServices({ lamp: story("2026-11-14", "History") });
    const block = await readNewsroomBlock(services);
    expect(block.map(({ slug, category }) => [slug, category])).toEqual([["lamp", "Community"]]);
    expect((await findStoryPage(services, "lamp"))?.story.category).toBe("Community");
  });

  it("have one story per path, also if a reader's story is older than those in memory", async () => {
    await addReaderStory("lamp", "2016-11-03", "Community");
    const newer = Array.from({ length: 2_500 }, (_, index) => ({
      key: `newer-${index}`,
      slug: `newer-${index}`,
      day: "2026-11-03",
      publishedAt: now,
      category: "Community",
      title: "A cat",
      text: "It sleeps.",
      name: "",
      email: "",
      state: "approved" as const,
      createdAt: now,
    }));
    await insertRows(database.db, storySubmissions, newer);
    const services = createServices({ lamp: story("2026-11-14", "History") });
    expect(await listFileStoriesAndDrafts(services)).toEqual([]);
    expect((await findStoryPage(services, "lamp"))?.story.category).toBe("Community");
  });

  it("of the same day are in the order in which they were published, whatever their files are called", async () => {
    const files = {
      "zoo-opens": story("2026-11-15", "Local"),
      "alley-fire": story("2026-11-15", "Local"),
      "old-fire": story("2026-11-14", "Local"),
      "mid-morning": story("2026-11-15 10:00", "Local"),
    };
    const saveAt = (time: string, ...ids: (keyof typeof files)[]) =>
      rememberPublished({
        ...createServices(Object.fromEntries(ids.map((id) => [id, files[id]]))),
        clock: () => instantAt("2026-11-15", time, "America/New_York"),
      });
    await saveAt("09:00", "zoo-opens", "old-fire");
    await saveAt("11:30", "zoo-opens", "alley-fire", "old-fire", "mid-morning");
    await addReaderStory("by-a-reader", "2026-11-15", "Local", "11:00");
    // As on every node, and after a restart.
    const services = createServices(files);
    await rememberPublished(services);
    const { groups } = await readStoryList(services, new URLSearchParams());
    expect(groups.flatMap(({ stories }) => stories.map(({ slug }) => slug))).toEqual([
      "alley-fire",
      "by-a-reader",
      "mid-morning",
      "zoo-opens",
      "old-fire",
    ]);
    const page = await findStoryPage(services, "by-a-reader");
    expect([page?.newer?.slug, page?.older?.slug]).toEqual(["alley-fire", "mid-morning"]);
  });

  it("of the same day lead to each other in the order of the list", async () => {
    for (const slug of ["ab-c", "abb", "ab1", "abd"])
      await addReaderStory(slug, "2026-11-03", "Community");
    const { ids } = await readList({}, "");
    for (const [index, id] of ids.entries()) {
      const page = await findStoryPage(createServices({}), id);
      expect(page?.newer?.slug).toBe(ids[index - 1]);
      expect(page?.older?.slug).toBe(ids[index + 1]);
    }
  });

  it("can be selected only by values for which there are stories", async () => {
    const stories = { lamp: story("2026-11-14", "History"), wheel: story("2026-10-31", "Food") };
    for (const query of ["month=2026-09", "month=x", "category=none", "category=", "page=0.5"])
      expect((await readList(stories, query)).filter, query).toEqual({
        month: null,
        category: null,
        page: 1,
      });
    expect((await readList(stories, "month=2026-10&category=history")).filter).toMatchObject({
      month: null,
      category: "history",
    });
    expect((await readList({}, "")).groups).toEqual([]);
  });

  it("are found by a category that is written as on the page", async () => {
    const stories = { home: story("2026-11-10", "Real Estate"), food: story("2026-11-11", "Food") };
    const list = await readList(stories, "category=Real+Estate");
    expect(list.ids).toEqual(["home"]);
    expect(list.filter.category).toBe("real-estate");
  });

  it("are on pages of twenty", async () => {
    const stories = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`s${index + 10}`, story("2026-11-01", "Food")]),
    );
    const first = await readList(stories, "");
    expect(first.ids).toHaveLength(20);
    expect(first.hasOlder).toBe(true);
    expect(await readList(stories, "page=2")).toMatchObject({ ids: ["s10"], hasOlder: false });
    expect(await readList(stories, "page=3")).toMatchObject({ ids: [], hasOlder: false });
  });

  it("are above the headlines of all sections, or of the section that shows their category", async () => {
    await addReaderStory("the-cat", "2026-11-03", "Community");
    const services = createServices({
      sample: story("2026-11-14", "History", "sample: true\npinned: true"),
      lamp: story("2026-11-10", "history"),
      pinned: story("2026-09-01", "Environment", "pinned: true"),
      market: story("2026-11-12", "Food"),
    });
    const readIds = async (section?: string) =>
      (await readNewsroomBlock(services, section)).map(({ slug }) => slug);
    expect(await readIds()).toEqual(["pinned", "market", "lamp", "the-cat"]);
    expect(await readIds("local")).toEqual(["pinned", "lamp", "the-cat"]);
    expect(await readIds("food")).toEqual(["market"]);
    expect(await readIds("world")).toEqual([]);
  });

  it("are samples only until there is another story, in any section, which may be a reader's", async () => {
    const sample = story("2026-11-14", "Food", "sample: true");
    const files = { one: sample, two: sample };
    const findIds = async (stories: Record<string, string>) => {
      const services = createServices(stories);
      const choice = { month: null, section: "food", source: null };
      const archived = await readArchivedStories(services, choice);
      return {
        list: (await readList(stories, "")).ids,
        block: (await readNewsroomBlock(services, "food")).map(({ slug }) => slug),
        archive: archived.stories.map(({ link }) => link),
        local: (await readNewestLocalStories(services, ["one"], 3)).map(({ slug }) => slug),
        related: (await findStoryPage(services, "one"))?.related.stories.map(({ slug }) => slug),
        neighbor: (await findStoryPage(services, "two"))?.older?.slug,
      };
    };
    expect(await findIds(files)).toEqual({
      list: ["two", "one"],
      block: ["two", "one"],
      archive: ["/news/two", "/news/one"],
      local: ["one", "two"],
      related: [],
      neighbor: "one",
    });
    const only = (id: string) => ({
      list: [id],
      block: [],
      archive: [],
      local: [id],
      related: [id],
      neighbor: undefined,
    });
    expect(await findIds({ ...files, lamp: story("2026-11-01", "History") })).toEqual(only("lamp"));
    await addReaderStory("the-cat", "2026-11-03", "Community");
    expect(await findIds(files)).toEqual(only("the-cat"));
  });

  it("are in the archive by month and section", async () => {
    await addReaderStory("the-cat", "2026-08-03", "Community");
    const services = createServices({
      lamp: story("2026-11-10", "history"),
      market: story("2026-11-12", "Food"),
    });
    const read = async (choice: { month?: string; section?: string; source?: string }) => {
      const all = { month: null, section: null, source: null };
      const { stories, firstMonth } = await readArchivedStories(services, { ...all, ...choice });
      return [firstMonth, ...stories.map(({ link }) => link)];
    };
    expect(await read({})).toEqual(["2026-08", "/news/market", "/news/lamp", "/news/the-cat"]);
    expect(await read({ month: "2026-08" })).toEqual(["2026-08", "/news/the-cat"]);
    expect(await read({ month: "2026-11", section: "local" })).toEqual(["2026-08", "/news/lamp"]);
    expect(await read({ source: "baltimore-brew" })).toEqual(["2026-08"]);
  });

  it("lead to others of the same section, or to the newest if there are none, but not twice to the next and the previous one", async () => {
    await addReaderStory("the-cat", "2026-11-03", "Community");
    const services = createServices({
      lamp: story("2026-11-14", "History", "author: [renata calloway, Ada Byrd]"),
      sample: story("2026-11-14", "History", "sample: true"),
      older: story("2026-11-01", "history"),
      market: story("2026-11-12", "Food"),
    });
    const lamp = await findStoryPage(services, "lamp");
    expect(lamp?.related.section).toEqual({ heading: "Local News", path: "/local" });
    expect(lamp?.related.stories.map(({ slug }) => slug)).toEqual(["older", "the-cat"]);
    expect(lamp?.bylines).toEqual([
      { name: "renata calloway", to: "/about#renata-calloway" },
      { name: "Ada Byrd", to: null },
    ]);
    const market = await findStoryPage(services, "market");
    expect(market?.related.section).toBeNull();
    // The lamp and the cat are the next and the previous story.
    expect(market?.related.stories.map(({ slug }) => slug)).toEqual(["older"]);
  });
});
