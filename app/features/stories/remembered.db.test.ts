import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { checkReaderSlugs } from "./check.server.ts";
import { newsFolder, type StoryFile } from "./files.server.ts";
import { checkPreviewToken, createPreviewPath, endPreviewLinks } from "./preview/preview.server.ts";
import { missingStoryStatus, rememberPublished, suggestStoryPath } from "./remembered.server.ts";
import { rememberedStories, storySubmissions } from "./schema.server.ts";
import { listFileStoriesAndDrafts } from "./stories.server.ts";

const now = new Date("2026-11-15T17:00:00Z");
const clock = () => now;

function story(id: string, title: string, date = "2026-11-14"): StoryFile {
  const parsed = newsFolder.file(`${id}.md`).parse(`---
title: ${title}
excerpt: What it is about.
category: History
date: ${date}
image: { file: arabber.svg, alt: A horse }
---
Text.
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** A city that has only these stories, and is in Baltimore's time zone. */
function city(...stories: StoryFile[]): SiteContent {
  const values = new Map<unknown, unknown>([
    [siteSettingsFile, { timeZone: "America/New_York" }],
    [newsFolder, stories],
  ]);
  return {
    read: (file) => values.get(file) as never,
    ...wholeCity,
    readAll: (folder) => values.get(folder) as never,
  };
}

describe("remembered stories", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.db.delete(rememberedStories));
  afterAll(() => database.close());
  const services = (...stories: StoryFile[]) => ({
    site: city(...stories),
    db: database.db,
    clock,
  });

  it("are remembered when they are removed, but scheduled ones never were there", async () => {
    const files = [story("harbor", "The Harbor"), story("later", "Later", "2026-11-16")];
    await rememberPublished(services(...files));
    expect(await missingStoryStatus(services(), "harbor")).toBe(410);
    expect(await missingStoryStatus(services(), "later")).toBe(404);
    expect(await missingStoryStatus(services(), "never")).toBe(404);
  });

  it("are not gone while they are scheduled again", async () => {
    await rememberPublished(services(story("harbor", "The Harbor")));
    const again = services(story("harbor", "The Harbor", "2026-12-24"));
    expect(await missingStoryStatus(again, "harbor")).toBe(404);
  });

  it("of readers stay at their path when a file with the same name is saved", async () => {
    const approved = {
      title: "The Cat of Pier 5",
      text: "It sleeps.",
      name: "",
      email: "",
      key: "cat",
      state: "approved" as const,
      slug: "cat",
      category: "Community",
      day: "2026-11-14",
      createdAt: now,
      publishedAt: now,
    };
    await database.db.insert(storySubmissions).values(approved);
    const withFile = services(story("cat", "Cats of the City"), story("harbor", "The Harbor"));
    expect((await listFileStoriesAndDrafts(withFile)).map(({ slug }) => slug)).toEqual(["harbor"]);
    const check = checkReaderSlugs as (city: unknown) => Promise<unknown>;
    const names = () => ["cat", "harbor"];
    expect(await check({ names, services: async () => withFile })).toMatchObject([
      {
        file: "news/cat.md",
        message: expect.stringContaining("a reader's story has the path /news/cat"),
      },
    ]);
    await database.db.delete(storySubmissions);
    expect((await listFileStoriesAndDrafts(withFile)).map(({ slug }) => slug)).toContain("cat");
  });

  it("are found again under a new name by their title, otherwise by a similar name", async () => {
    await rememberPublished(services(story("fire", "The Fire on Pier 6")));
    const renamed = services(
      story("pier-six-blaze", "The Fire on Pier 6"),
      story("lighthouse", "The Lighthouse"),
    );
    expect(await suggestStoryPath("/news/fire", renamed)).toBe("/news/pier-six-blaze");
    expect(await suggestStoryPath("/news/lighthuose", renamed)).toBe("/news/lighthouse");
    expect(await suggestStoryPath("/news/wp-login.php", renamed)).toBeNull();
    expect(await suggestStoryPath("/blog/fire", renamed)).toBeNull();
  });

  it("a preview link works for its story only, for seven days, until new links are made", async () => {
    const { db } = database;
    const { path } = await createPreviewPath(db, "draft", now);
    const [, , id, token = ""] = path.split("/");
    const check = (story: string, day: string, link = token) =>
      checkPreviewToken(db, story, link, new Date(day));
    expect(id).toBe("draft");
    expect(await check("draft", "2026-11-22T16:59:59Z")).toEqual(new Date("2026-11-22T17:00:00Z"));
    expect(await check("draft", "2026-11-22T17:00:00Z")).toBeNull();
    expect(await check("other", "2026-11-16T17:00:00Z")).toBeNull();
    expect(await check("draft", "2026-11-16T17:00:00Z", `z${token}`)).toBeNull();
    expect(await check("draft", "2026-11-16T17:00:00Z", "")).toBeNull();
    await endPreviewLinks(db, "other");
    expect(await check("draft", "2026-11-16T17:00:00Z")).not.toBeNull();
    await endPreviewLinks(db, "draft");
    expect(await check("draft", "2026-11-16T17:00:00Z")).toBeNull();
    const renewed = await createPreviewPath(db, "draft", now);
    await endPreviewLinks(db, "draft");
    expect(await check("draft", "2026-11-16T17:00:00Z", renewed.path.split("/")[3])).toBeNull();
  });
});
