import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { temporaryFolder } from "../../../../tests/support/server.ts";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { noPage } from "../../../platform/services.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { fileNotes } from "../../file-notes/schema.server.ts";
import { withoutTakenDown } from "../../file-notes/taken-down.server.ts";
import { redirectsFile } from "../../redirects/files.server.ts";
import { findNewPath } from "../../redirects/rows.server.ts";
import { findStoryImage } from "../../stories/approved.server.ts";
import { exportVerb } from "../../stories/desk/export-verb.server.ts";
import { renderStoryText } from "../../stories/desk/render.server.ts";
import {
  findStoryRow,
  lockStory,
  type NewImage,
  type StoryFields,
} from "../../stories/desk/rows.server.ts";
import { issueStories } from "../../stories/feature.server.ts";
import { newsFolder, type StoryFile, submitStoryFile } from "../../stories/files.server.ts";
import { storyCorrections } from "../../stories/listing/list.server.ts";
import { missingStoryStatus, rememberPublished } from "../../stories/remembered.server.ts";
import { rememberedStories, storySubmissions } from "../../stories/schema.server.ts";
import {
  findPublishedStories,
  readStoriesOrSamples,
  readStoryRecord,
} from "../../stories/stories.server.ts";
import { findItem, listItems } from "../kinds/kinds.server.ts";
import { publishStory } from "../kinds/story.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import { readLog } from "../log/log.server.ts";
import { deskLog } from "../schema.server.ts";
import { describeChangeOf } from "../write/draft-of-item.server.ts";
import { findDraft, openDraftFor, saveDraft } from "../write/drafts.server.ts";
import { deskDrafts } from "../write/schema.server.ts";
import { changeItem } from "./change-item.server.ts";
import { describeItem, restoreVersion } from "./describe-item.server.ts";
import { changeEntry } from "./entry.server.ts";
import type { ItemAction } from "./model.ts";

const ana = { name: "Ana Reyes", email: "ana@example.com" };
const origin = "https://city.example";

function file(id: string, text: string): StoryFile {
  const parsed = newsFolder.file(`${id}.md`).parse(`---
title: Story ${id}
excerpt: What it is about.
category: History
date: 2026-11-14
---
${text}
`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

function city(...files: StoryFile[]): SiteContent {
  const values = new Map<unknown, unknown>([
    [siteSettingsFile, { timeZone: "America/New_York", origin }],
    [submitStoryFile, { picture: { file: "cat.svg", alt: "", width: 1, height: 1 } }],
    [redirectsFile, { "/news/from-the-file": "/about" }],
    [newsFolder, files],
  ]);
  return {
    read: (source) => values.get(source) as never,
    ...wholeCity,
    readAll: (folder) => values.get(folder) as never,
    names: () => files.map(({ id }) => id),
  };
}

const fields: StoryFields = {
  title: "The ferry is back",
  excerpt: "From Saturday, it crosses the harbor again.",
  text: "It is **back**.",
  category: "Transportation",
  authors: ["Ana Reyes", "Sam Cole"],
  image: null,
  isPinned: false,
  live: null,
  corrections: [],
};

describe.each(databaseKinds)("what is published, on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date();
  const pass = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  const open = (...files: StoryFile[]) => ({
    ...noPage,
    site: city(...files),
    db: database.db,
    clock: () => now,
    runInWorker: runInThisThread,
    log: { info() {}, warn() {}, error() {} } as never,
  });
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    now = new Date("2026-11-15T17:30:00Z");
    newImages.length = 0;
    for (const table of [storySubmissions, rememberedStories, deskLog, fileNotes, deskDrafts])
      await database.db.delete(table);
  });
  afterAll(() => database.close());

  async function publish(change: Partial<StoryFields> = {}, id: string | null = null) {
    const services = open();
    const all = { ...fields, ...change };
    const html = await renderStoryText(services, all.text);
    return database.db.transaction(async (tx) => {
      const row = id === null ? null : await lockStory(tx, id);
      const written = { row, fields: all, html, at: now, newImages };
      return publishStory(services, tx, { ...written, editor: ana });
    });
  }
  const find = async (slug: string, ...files: StoryFile[]) => {
    const item = await findItem(open(...files), { kind: "story", id: slug });
    return item ?? expect.unreachable(`There is no story ${slug}.`);
  };
  const change = async (slug: string, action: ItemAction, typed = "", ...files: StoryFile[]) =>
    changeItem({ ...open(...files), editor: ana }, await find(slug, ...files), { action, typed });
  const findRow = async (slug: string) => {
    const item = await find(slug);
    return { ...item, rowId: item.rowId ?? "" };
  };
  const restore = async (slug: string, number: number) =>
    restoreVersion({ ...open(), editor: ana }, await findRow(slug), number);
  const readStoryVersions = async (slug: string) =>
    listVersions(database.db, { kind: "story", rowId: (await findRow(slug)).rowId });
  const readLastAction = async () => (await readLog(database.db, { count: 1 }))[0]?.action;
  const newImages: NewImage[] = [];
  const addImage = () => {
    const id = crypto.randomUUID();
    newImages.push({ id, width: 4, height: 3, bytes: new Uint8Array([1]) });
    return id;
  };
  const isImageShown = async (id: string) => (await findStoryImage(database.db, id)) !== null;

  it("a story of the desk is a story like any other, and an update keeps its path and its date", async () => {
    const { id, slug } = await publish();
    expect(slug).toBe("the-ferry-is-back");
    pass(3);
    expect(await publish({ title: "The Ferry Is Late" }, id)).toEqual({ id, slug });
    expect(await readStoriesOrSamples(open())).toMatchObject([
      {
        slug,
        title: "The Ferry Is Late",
        excerpt: fields.excerpt,
        html: "<p>It is <strong>back</strong>.</p>",
        authors: fields.authors,
        isFromReader: false,
        writtenDate: "2026-11-15 12:30",
        updated: "2026-11-15 15:30",
      },
    ]);
  });

  it("readers get the images that the published text shows, and an earlier version can be restored with its own", async () => {
    const [first, second, inText] = [addImage(), addImage(), addImage()];
    const describeImage = (id: string) => ({
      id,
      alt: "A ferry",
      caption: "At noon",
      credit: "Sam",
    });
    const text = `Look:\n\n![The pier](/pictures/${inText}.webp)`;
    const { id, slug } = await publish({ image: describeImage(first), text });
    expect(await readStoryRecord(open(), slug)).toMatchObject({
      image: { file: `/pictures/${first}.webp`, width: 4, caption: "At noon", credit: "Sam" },
      moreImages: [],
      html: expect.stringContaining(`src="/pictures/${inText}.webp" width="4" height="3"`),
    });
    await publish({ image: describeImage(second) }, id);
    expect(await Promise.all([first, second, inText].map(isImageShown))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await restore(slug, 1)).toEqual({ kind: "restored" });
    expect(await Promise.all([first, second, inText].map(isImageShown))).toEqual([
      true,
      false,
      true,
    ]);
    const versions = await readStoryVersions(slug);
    expect(versions.map(({ number, action }) => [number, action])).toEqual([
      [3, "restored version 1 of"],
      [2, "updated"],
      [1, "published"],
    ]);
  });

  it("a correction is on the story and among all corrections, also after an earlier version is restored", async () => {
    await database.db.insert(storySubmissions).values({
      key: "cat",
      title: "The Cat",
      text: "It sleeps.",
      name: "Ann, a reader",
      email: "",
      state: "approved",
      createdAt: now,
      slug: "the-cat",
      category: "Community",
      day: "2026-11-15",
      publishedAt: now,
    });
    expect(await change("the-cat", "correct", "  ")).toMatchObject({ kind: "refused" });
    pass(2);
    await change("the-cat", "correct", "It is\u202e a\u0000 dog.\u0007");
    expect(await readLastAction()).toBe("corrected");
    expect(await readStoryVersions("the-cat")).toMatchObject([
      {
        editorName: "Ana Reyes",
        fields: { corrections: [{ date: "2026-11-15", text: "It is a dog." }] },
      },
      { editorName: "", fields: { corrections: [] } },
    ]);
    await restore("the-cat", 1);
    expect(await storyCorrections(open())).toMatchObject([
      { path: "/news/the-cat", text: "It is a dog." },
    ]);
    expect(await readStoryRecord(open(), "the-cat")).toMatchObject({
      isFromReader: true,
      authors: ["Ann, a reader"],
      html: "<p>It sleeps.</p>",
    });
  });

  it("a story that is taken down is gone, a draft is only not there, and both come back as they were", async () => {
    const { slug } = await publish();
    const before = await readStoryRecord(open(), slug);
    pass(1);
    await change(slug, "down");
    expect(await readLastAction()).toBe("took down");
    expect([await readStoryRecord(open(), slug), await readStoriesOrSamples(open())]).toEqual([
      null,
      [],
    ]);
    expect(await missingStoryStatus(open(), slug)).toBe(410);
    await change(slug, "draft");
    expect(await missingStoryStatus(open(), slug)).toBe(404);
    await change(slug, "again");
    expect(await readStoryRecord(open(), slug)).toEqual(before);
  });

  it("a version can be restored while the story is taken down, and readers see it when it is published again", async () => {
    const { id, slug } = await publish({ isPinned: true });
    await publish({ text: "It sank.", isPinned: true }, id);
    await change(slug, "down");
    expect(await restore(slug, 1)).toEqual({ kind: "restored" });
    expect(await find(slug)).toMatchObject({ state: "down", isPinned: true });
    expect(await missingStoryStatus(open(), slug)).toBe(410);
    await change(slug, "again");
    expect(await readStoryRecord(open(), slug)).toMatchObject({
      html: "<p>It is <strong>back</strong>.</p>",
      isPinned: true,
    });
  });

  it("its draft gets the version that somebody restores, except what an editor has typed there", async () => {
    const { slug, id } = await publish();
    const services = { ...open(), editor: ana };
    await publish({ title: "Second", excerpt: "Second." }, id);
    const draftId = (await openDraftFor(services, "story", id)) ?? "";
    const draft = await findDraft(database.db, draftId);
    if (!draft) throw new Error("There is no draft.");
    const typed = { ...draft.fields, excerpt: "Mine." };
    await saveDraft(services, { id: draftId, revision: draft.revision, fields: typed });
    await restore(slug, 1);
    expect(await findDraft(database.db, draftId)).toMatchObject({
      revision: draft.revision + 2,
      fields: { title: fields.title, excerpt: "Mine." },
    });
  });

  it("editors see whether readers see that a story was updated", async () => {
    const { id, slug } = await publish();
    const readUpdate = async () => describeItem(open(), await find(slug)).update;
    expect(await readUpdate()).toBeNull();
    now = new Date(now.getTime() + 20 * 60_000);
    await publish({ text: "Fixed." }, id);
    expect(await readUpdate()).toMatch(/^Readers do not see “Updated”/);
    pass(1);
    await publish({ text: "More." }, id);
    expect(await readUpdate()).toBe("Readers see “Updated November 15, 2026, 1:50 PM”.");
  });

  describe("a live story", () => {
    const bo = { name: "Bo", email: "bo@example.com" };
    const begin = async () => {
      const { slug, id } = await publish({ text: "The harbor is closed." });
      await change(slug, "live");
      return { slug, id, item: await find(slug) };
    };
    const read = async (slug: string) => (await readStoryRecord(open(), slug))?.live;
    const listTitles = async (slug: string) =>
      (await read(slug))?.entries.map((each) => each.title);
    const minute = () => {
      now = new Date(now.getTime() + 60_000);
    };

    it("gets entries, the newest first, each with a version and a line in the log, until it ends", async () => {
      const { slug, item } = await begin();
      const add = (title: string, text: string) =>
        changeEntry({ ...open(), editor: ana }, item, { key: null, typed: { title, text } });
      expect(await read(slug)).toMatchObject({ isLive: true, entries: [] });
      await add("AM radio is back", "Since *noon*.");
      minute();
      expect(await add("", "The bridge is open.")).toEqual({ kind: "done", slug });
      expect(await read(slug)).toMatchObject({
        summary: expect.stringContaining("The harbor is closed."),
        entries: [
          { id: "at-12-31", title: "", time: { text: "12:31 PM" } },
          { title: "AM radio is back", html: expect.stringContaining("<em>noon</em>") },
        ],
      });
      expect(await readStoryVersions(slug)).toHaveLength(3);
      expect(await readLastAction()).toBe("added an entry to");
      // Pressed twice, it is published once.
      expect(await add("", "The bridge is open.")).toEqual({ kind: "done", slug });
      expect(await readStoryVersions(slug)).toHaveLength(3);
      // An earlier entry, and what would change other entries.
      expect(await add("AM radio is back", "Since *noon*.")).toMatchObject({ kind: "refused" });
      // Nobody could edit the entries of a story with a time in a list.
      const hidden = "1. A\n\n   ## 13:00 B";
      for (const text of [" ", "A\n\n## 13:00 B", "```\nCode", "x".repeat(5_001), hidden])
        expect(await add("", text)).toMatchObject({ kind: "refused" });
      await change(slug, "correct", "It is late.");
      await restore(slug, 2);
      expect(await listTitles(slug)).toEqual(["AM radio is back"]);
      minute();
      await change(slug, "end");
      expect(await read(slug)).toMatchObject({ isLive: false, entries: [{ id: "at-12-30" }] });
      expect(await add("", "Too late.")).toMatchObject({ kind: "refused" });
      await change(slug, "live");
      expect((await read(slug))?.isLive).toBe(true);
      const ferry = file("ferry", "It is back.");
      expect(await change("ferry", "live", "", ferry)).toMatchObject({ kind: "refused" });
    });

    it("each entry can be changed and deleted, in the story and in its open draft", async () => {
      const { slug, id, item } = await begin();
      for (const text of ["The brigde is open.", "A second one.", "A third one."]) {
        minute();
        await changeEntry({ ...open(), editor: ana }, item, {
          key: null,
          typed: { title: "Bridge", text },
        });
      }
      await change(slug, "end");
      const draft = (await openDraftFor({ ...open(), editor: bo }, "story", id)) ?? "";
      const keys = async () => (await find(slug)).entries?.map(({ key }) => key) ?? [];
      const [third = "", second = "", first = ""] = await keys();
      const edit = (key: string, text: string | null, title = "Open") =>
        changeEntry({ ...open(), editor: bo }, item, {
          key,
          typed: text === null ? null : { title, text },
        });
      pass(1);
      expect(await edit(first, "The *bridge* is open.")).toEqual({ kind: "done", slug });
      expect(await read(slug)).toMatchObject({
        summary: expect.stringContaining("The harbor is closed."),
        entries: [
          { title: "Bridge", html: expect.stringContaining("A third one.") },
          { title: "Bridge", html: expect.stringContaining("A second one.") },
          { id: "at-12-31", title: "Open", html: expect.stringContaining("<em>bridge</em>") },
        ],
      });
      expect(await readLastAction()).toBe("edited an entry of");
      minute();
      expect(await edit(second, null)).toEqual({ kind: "done", slug });
      expect(await listTitles(slug)).toEqual(["Bridge", "Open"]);
      expect(await readLastAction()).toBe("deleted an entry of");
      const count = (await readStoryVersions(slug)).length;
      // Pressed twice, a change is published once.
      expect(await edit(first, "The *bridge* is open.")).toEqual({ kind: "done", slug });
      // What somebody else has changed or deleted, and what would change other entries.
      for (const refused of [
        await edit(first, "Something else."),
        await edit(first, null),
        await edit(second, null),
        await edit(second, "It is closed."),
        await edit(third, " "),
        await edit(third, "A\n\n## 13:00 B"),
        await edit(third, "```\nCode"),
      ])
        expect(refused).toMatchObject({ kind: "refused" });
      expect(await readStoryVersions(slug)).toHaveLength(count);
      const stored = await findDraft(database.db, draft);
      const row = await findStoryRow(database.db, { slug });
      expect(stored?.fields.text).toBe(row?.text);
      expect(stored && (await describeChangeOf(database.db, stored))).toBe(
        "Bo deleted an entry of this story.",
      );
    });

    it("does not mistake an entry for another one of the same minute", async () => {
      const { slug, item } = await begin();
      minute();
      for (const title of ["One", "Two", "Three"])
        await changeEntry({ ...open(), editor: ana }, item, {
          key: null,
          typed: { title, text: "New." },
        });
      const edit = (key: string, text: string | null) =>
        changeEntry({ ...open(), editor: bo }, item, {
          key,
          typed: text === null ? null : { title: "T", text },
        });
      const [three = "", two = "", one = ""] = (await find(slug)).entries?.map((e) => e.key) ?? [];
      expect(await edit(three, "Changed.")).toEqual({ kind: "done", slug });
      expect(await edit(two, null)).toEqual({ kind: "done", slug });
      for (const key of [two, three])
        for (const text of [null, "Something else."])
          expect(await edit(key, text)).toMatchObject({
            kind: "refused",
            message: expect.stringContaining("Somebody has changed or deleted this entry."),
          });
      expect(await edit(one, null)).toEqual({ kind: "done", slug });
      expect(await listTitles(slug)).toEqual(["T"]);
    });

    it("has the entries of editors who publish at the same time, and so has its draft", async () => {
      const { slug, id, item } = await begin();
      minute();
      const draft = await openDraftFor({ ...open(), editor: bo }, "story", id);
      const titles = ["One", "Two", "Three", "Four"];
      await Promise.all(
        titles.map((title, index) =>
          changeEntry({ ...open(), editor: index % 2 ? ana : bo }, item, {
            key: null,
            typed: { title, text: "New." },
          }),
        ),
      );
      expect((await listTitles(slug))?.toSorted()).toEqual(titles.toSorted());
      const stored = await findDraft(database.db, draft ?? "");
      if (!stored) throw new Error("The draft is missing.");
      expect(await describeChangeOf(database.db, stored)).toMatch(
        / added an entry to this story\.$/,
      );
      const { fields } = stored;
      expect(fields).toMatchObject({ isLive: true });
      for (const title of titles) expect(fields.text).toContain(`: ${title}`);
    });
  });

  it("a story of the desk can be written as a file with the same content", async () => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const [lead, inText] = [addImage(), addImage()];
    const { slug } = await publish({
      text: `Look: ![The pier](/pictures/${inText}.webp)`,
      image: { id: lead, alt: "A ferry", caption: "At noon", credit: "" },
      isPinned: true,
      live: true,
    });
    await change(slug, "correct", "It is late.");
    const services = open();
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    const context = { ...services, cwd: folder.path, print, result() {}, isServing: true };
    const exportTo = (to: string) =>
      exportVerb.run(
        { ...context, database: async () => database.db, services: async () => services } as never,
        { to },
      );
    await exportTo(".");
    expect((await readdir(folder.path)).sort()).toEqual([
      `${slug}-2.webp`,
      `${slug}.md`,
      `${slug}.webp`,
    ]);
    const source = await readFile(join(folder.path, `${slug}.md`), "utf8");
    expect(newsFolder.file(`${slug}.md`).parse(source)).toMatchObject({
      ok: true,
      value: {
        front: {
          title: fields.title,
          excerpt: fields.excerpt,
          category: fields.category,
          author: fields.authors,
          date: "2026-11-15 12:30",
          pinned: true,
          live: true,
          image: { file: `${slug}.webp`, alt: "A ferry", caption: "At noon" },
          corrections: [{ date: "2026-11-15", text: "It is late." }],
        },
      },
    });
    expect(source).toContain(`Look: ![The pier](${slug}-2.webp)`);
    lines.length = 0;
    await exportTo(".");
    expect(lines.join("\n")).toMatch(
      /^3 files exist already and were left as they are\.\nWrote 0 files of 1 published story\./,
    );
    await database.db.delete(storySubmissions);
    await expect(exportTo("none")).rejects.toThrow(/There is no folder \S+none/);
  });

  it("a story that is taken down comes back as it was, whatever a file with its name says", async () => {
    const { slug } = await publish();
    const exported = file(slug, "From the file.");
    await rememberPublished(open(exported));
    await change(slug, "down", "", exported);
    await rememberPublished(open(exported));
    expect(await readStoryRecord(open(exported), slug)).toBeNull();
    expect(await missingStoryStatus(open(exported), slug)).toBe(410);
    const teasers = () => withoutTakenDown(open(), [`/news/${slug}`], (link) => link);
    expect(await teasers()).toEqual([]);
    await change(slug, "again", "", exported);
    expect(await readStoryRecord(open(exported), slug)).toMatchObject({
      html: "<p>It is <strong>back</strong>.</p>",
    });
    expect(await teasers()).toHaveLength(1);
  });

  it("a renamed story is at its new path, and all its old ones lead there", async () => {
    const { slug } = await publish();
    await publish({ title: "Taken" });
    expect(await change(slug, "rename", "Taken")).toMatchObject({ kind: "refused" });
    expect(await change(slug, "rename", "Ferry!")).toEqual({ kind: "done", slug: "ferry" });
    await change("ferry", "rename", "boat");
    const readNewPath = (path: string) => findNewPath(open(), path);
    expect(await readNewPath(`/news/${slug}`)).toBe("/news/boat");
    expect(await readNewPath("/news/ferry")).toBe("/news/boat");
    expect(await readNewPath("/news/from-the-file")).toBe("/about");
    expect(await readStoryRecord(open(), "boat")).toMatchObject({ title: fields.title });
    // Briefs and issues of the newsletter name the story by its first path.
    expect((await findPublishedStories(open(), [slug])).get(slug)?.slug).toBe("boat");
    const listForIssue = (sentPath: string) =>
      issueStories(open(), {
        since: new Date(0),
        wasSent: (link) => link.endsWith(sentPath),
      });
    expect((await listForIssue("/news/other")).map(({ link }) => link)).toContainEqual(
      expect.stringMatching(/\/news\/boat$/),
    );
    for (const path of [`/news/${slug}`, "/news/ferry", "/news/boat"])
      expect((await listForIssue(path)).map(({ link }) => link)).not.toContainEqual(
        expect.stringMatching(/\/news\/boat$/),
      );
    await change("boat", "rename", slug);
    expect(await readNewPath(`/news/${slug}`)).toBeNull();
    expect(await readNewPath("/news/boat")).toBe(`/news/${slug}`);
  });

  it("a file can be pinned, corrected and taken down, and stays down when it is edited", async () => {
    const ferry = file("ferry", "It is back.");
    await rememberPublished(open(ferry));
    await change("ferry", "pin", "", ferry);
    await change("ferry", "correct", "It is late.", ferry);
    expect(await readStoryRecord(open(ferry), "ferry")).toMatchObject({
      isPinned: true,
      corrections: [{ date: "2026-11-15", text: "It is late." }],
    });
    await change("ferry", "down", "", ferry);
    const edited = file("ferry", "It is back, really.");
    await rememberPublished(open(edited));
    expect(await readStoryRecord(open(edited), "ferry")).toBeNull();
    expect(await missingStoryStatus(open(edited), "ferry")).toBe(410);
    await publish();
    const { items } = await listItems(open(edited), {
      text: "ferry",
      kind: "story",
      only: null,
      page: 1,
    });
    expect(items).toMatchObject([
      { slug: "the-ferry-is-back", state: "published", from: "From the desk" },
      { slug: "ferry", state: "down", isPinned: true, from: "news/ferry.md" },
    ]);
    expect(await change("ferry", "draft", "", edited)).toMatchObject({ kind: "refused" });
    await change("ferry", "again", "", edited);
    expect(await readStoryRecord(open(edited), "ferry")).not.toBeNull();
  });
});
