import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { readSite } from "../../../../server/site/site-files.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { createLog } from "../../../lib/log.ts";
import type { Services } from "../../../platform/services.ts";
import { blogFile, blogFolder } from "../../blog/files.server.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { eventsFile, eventsFolder } from "../../events/files.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { findApprovedStory } from "../../stories/approved.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { publishedStories, storyImages, storySubmissions } from "../../stories/schema.server.ts";
import { deskFile } from "../files.server.ts";
import { findItem as findPublished } from "../kinds/kinds.server.ts";
import { readLog } from "../log/log.server.ts";
import { changeItem } from "../published/change-item.server.ts";
import { type ItemKind, itemKinds } from "../published/model.ts";
import { deskLog } from "../schema.server.ts";
import {
  createDraft,
  findDraft,
  listDrafts,
  markClosed,
  openDraftFor,
  saveDraft,
  takeOver,
} from "./drafts.server.ts";
import {
  type DraftFields,
  draftPath,
  emptyFields,
  intentField,
  maxLengths,
  mergeLineMessage,
  toMergeLine,
  tooLargeMessage,
  writeDraftFields,
} from "./model.ts";
import { publishDueDrafts } from "./publish.server.ts";
import { receiveDraft, receiveSave } from "./receive.server.ts";
import { deskDrafts, deskImages } from "./schema.server.ts";
import { showDraft, showDrafts } from "./show.server.ts";

const ana = { name: "Ana Reyes", email: "ana@example.com" };
const ben = { name: "Ben Ortiz", email: "ben@example.com" };
const files = await readSite("sites/baltimore", [
  deskFile,
  siteSettingsFile,
  sectionsFile,
  newsFolder,
  blogFile,
  blogFolder,
  eventsFile,
  eventsFolder,
]);
let editors = [ana, ben];
const site: Services["site"] = {
  read: (file) => (file.path === deskFile.path ? ({ editors } as never) : files.read(file)),
  ...wholeCity,
  readAll: (folder) => files.readAll(folder),
  names: (folder) => files.names(folder),
};
const photo = await sharp({ create: { width: 8, height: 6, channels: 3, background: "navy" } })
  .jpeg()
  .toBuffer();
const story: DraftFields = {
  ...emptyFields,
  title: "The ferry is back",
  text: "It is **back**.",
  category: "Neighborhoods",
  authors: "Ana Reyes, Sam Cole",
  excerpt: "From Saturday, it crosses the harbor again.",
};

describe.each(databaseKinds)("drafts, on %s", (kind) => {
  let database: OpenDatabase;
  let now: Date;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    now = new Date("2026-11-15T17:00:00Z");
    const tables = [
      deskDrafts,
      storySubmissions,
      publishedStories,
      blogPosts,
      eventSubmissions,
      deskLog,
      mails,
    ];
    for (const table of tables) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const services = (editor = ana) => ({
    db: database.db,
    editor,
    // The log is in the order of time.
    clock: () => {
      now = new Date(now.getTime() + 1);
      return now;
    },
    site,
    log: createLog({ write: () => true }),
    runInWorker: runInThisThread,
    mail: { wake() {} },
  });
  const begin = async (fields: DraftFields = story, kind: ItemKind = "story") =>
    (await createDraft(services(ana), kind, fields)) ?? "";
  const toForm = (fields: DraftFields, intent: string, revision: number) => {
    const form = writeDraftFields(new FormData(), fields);
    form.set(intentField, intent);
    form.set("revision", String(revision));
    return form;
  };
  const press = async (
    id: string,
    intent: string,
    fields: DraftFields,
    more = {},
    revision?: number,
  ) => {
    const current = (await findDraft(database.db, id))?.revision ?? 1;
    const form = toForm(fields, intent, revision ?? current);
    for (const [name, value] of Object.entries<string | File>(more)) form.set(name, value);
    return receiveDraft(services(ana), id, { kind: "whole", form });
  };
  const readActions = async () =>
    (await readLog(database.db, { count: 20 })).map(({ action }) => action).reverse();

  it("have a path for every id that somebody may type", () => {
    expect(new Headers({ Location: draftPath("😀") }).get("Location")).toMatch(/^\/desk\/write\/%/);
  });

  it("are saved only over the revision that the editor saw, so that two saves at once lose nothing", async () => {
    const id = await begin();
    const save = (editor: typeof ana, text: string) =>
      saveDraft(services(editor), { id, revision: 1, fields: { ...story, text } });
    const results = await Promise.all([save(ana, "Ana's text"), save(ben, "Ben's text")]);
    const saved = results.find((result) => result.kind === "saved");
    expect(results.map((result) => result.kind).sort()).toEqual(["conflict", "saved"]);
    // The later one sees the text of the other, and may save its own over it after that.
    expect(results.find((result) => result.kind === "conflict")).toMatchObject({
      draft: { revision: 2, fields: saved?.kind === "saved" ? saved.draft.fields : {} },
    });
    expect(await findDraft(database.db, id)).toMatchObject({ revision: 2 });
    // The same text again is a save whose response was lost.
    const fields = saved?.kind === "saved" ? saved.draft.fields : story;
    expect(await saveDraft(services(ana), { id, revision: 1, fields })).toMatchObject({
      kind: "saved",
      draft: { revision: 2 },
    });
  });

  it("are in the log with the title that they got later", async () => {
    const id = await begin(emptyFields);
    await begin();
    const readTitles = async () =>
      (await readLog(database.db, { count: 20 })).map(({ title }) => title).reverse();
    expect(await readTitles()).toEqual(["Without a title", story.title]);
    await receiveSave(services(), id, toForm({ ...emptyFields, title: "Fog" }, "save", 1));
    await press(id, "delete", emptyFields);
    expect(await readTitles()).toEqual(["Fog", story.title, "Fog"]);
  });

  it("show who has them open; taking one over stops the other editor from saving unseen", async () => {
    const id = await begin();
    now = new Date("2026-11-15T17:02:30Z");
    const [listed] = await showDrafts(services(ben));
    expect(listed).toMatchObject({ open: { name: "Ana Reyes", ago: "2 minutes ago" } });
    expect((await showDrafts(services(ana)))[0]?.open).toBeNull();
    await takeOver(services(ben), id);
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("The draft is missing.");
    expect(await showDraft(services(ana), draft)).toMatchObject({ open: { name: "Ben Ortiz" } });
    const late = toForm({ ...story, text: "Ana's last words" }, "save", 1);
    expect(await receiveSave(services(ana), id, late)).toMatchObject({
      kind: "conflict",
      editorName: "Ben Ortiz",
      isOwn: false,
    });
    const other = toForm({ ...story, text: "Ben's other tab" }, "save", 1);
    expect(await receiveSave(services(ben), id, other)).toMatchObject({
      isOwn: true,
      change: null,
    });
    const open = toForm(story, "open", 1);
    expect(await receiveSave(services(ana), id, open)).toMatchObject({ kind: "conflict" });
    // Nobody has to take over what is closed, or has shown no sign of life for a while.
    await markClosed(services(ana), id);
    expect((await showDrafts(services(ana)))[0]?.open).toMatchObject({ name: "Ben Ortiz" });
    await markClosed(services(ben), id);
    expect((await showDrafts(services(ana)))[0]?.open).toBeNull();
    now = new Date("2026-11-15T17:10:00Z");
    expect(await showDraft(services(ana), draft)).toMatchObject({ open: null });
    expect(await readActions()).toEqual(["began", "took over"]);
  });

  it("are not published before everything is there, and then with their photos, once", async () => {
    const id = await begin(emptyFields);
    expect(await press(id, "publish", emptyFields)).toMatchObject({
      kind: "refused",
      errors: {
        title: expect.any(String),
        text: expect.any(String),
        category: expect.any(String),
        excerpt: expect.any(String),
      },
    });
    // What was typed and the photo are saved, although the description is missing.
    const inText = crypto.randomUUID();
    const text = `It is back.\n\n![](${storedImagePath(inText)})`;
    const file = new File([new Uint8Array(photo)], "ferry.jpg", { type: "image/jpeg" });
    const refused = await press(id, "publish", { ...story, text }, { photo: file });
    expect(refused).toMatchObject({
      kind: "refused",
      errors: { alt: expect.any(String), text: expect.stringContaining("Describe") },
    });
    if (refused.kind !== "refused") return;
    const image = refused.typed.image;
    const complete = {
      ...story,
      image,
      alt: "A ferry",
      text: text.replace("[]", "[The pier]"),
      corrections: [{ date: "", text: "It is a boat." }],
    };
    expect(await press(id, "publish", complete, {}, refused.revision)).toMatchObject({
      errors: { text: expect.stringContaining("not been sent") },
    });
    const [stored] = await database.db.select().from(deskImages).where(eq(deskImages.id, image));
    if (!stored) throw new Error("The photo is missing.");
    await database.db.insert(deskImages).values({ ...stored, id: inText });
    const published = await press(id, "publish", complete, {}, refused.revision + 1);
    expect(published).toEqual({ kind: "published", path: "/news/the-ferry-is-back" });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toMatchObject({
      title: story.title,
      authors: ["Ana Reyes", "Sam Cole"],
      corrections: [{ date: "2026-11-15", text: "It is a boat." }],
      images: [{ file: storedImagePath(image), alt: "A ferry" }],
    });
    expect(await listDrafts(database.db)).toEqual([]);
    expect(await database.db.select().from(deskImages)).toEqual([]);
    expect(await readActions()).toEqual(["began", "published"]);
  });

  it("are published only with a section of the city and fields of a sensible length", async () => {
    const long = (length: number) => "x".repeat(length + 1);
    const fields = {
      ...story,
      category: "A section of nobody",
      authors: long(maxLengths.authors),
      alt: long(maxLengths.alt),
      caption: long(maxLengths.caption),
      credit: long(maxLengths.credit),
      corrections: [{ date: "", text: long(1_000) }],
    };
    const id = await begin();
    const refused = await press(id, "publish", fields);
    expect(refused).toMatchObject({
      kind: "refused",
      summary: "This cannot be published yet.",
    });
    expect(refused.kind === "refused" ? Object.keys(refused.errors).toSorted() : []).toEqual([
      "alt",
      "authors",
      "caption",
      "category",
      "corrections",
      "credit",
    ]);
    // A published story keeps its section, although the city no longer has it.
    await press(id, "publish", story, {}, 2);
    await database.db.update(storySubmissions).set({ category: "Ferries" });
    await openDraftFor(services(ana), "story", id);
    const same = { ...story, category: "Ferries" };
    expect(await press(id, "publish", same)).toMatchObject({ kind: "published" });
  });

  it("that are too long are not saved, and the form comes back with everything", async () => {
    const id = await begin();
    const fields = { ...story, text: "x".repeat(300_000) };
    expect(await receiveSave(services(ana), id, toForm(fields, "save", 1))).toEqual({
      kind: "too-large",
    });
    for (const draft of [id, crypto.randomUUID()])
      expect(await press(draft, "publish", fields)).toMatchObject({
        kind: "refused",
        summary: "This is not saved yet.",
        typed: fields,
        revision: 1,
        errors: { text: tooLargeMessage },
      });
    // Of a form whose photo is too large, the fields after the photo do not arrive.
    const form = new FormData();
    form.set("title", "Another title");
    expect(await receiveDraft(services(ana), id, { kind: "too-large", form })).toMatchObject({
      kind: "refused",
      typed: { ...story, title: "Another title" },
      errors: { photo: expect.any(String) },
    });
    expect(await listDrafts(database.db)).toMatchObject([{ id, title: story.title }]);
    expect((await findDraft(database.db, id))?.fields).toEqual(story);
  });

  it("of a published story change it, and one story has only one draft", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const [row] = await database.db.select().from(storySubmissions);
    const item = row?.id ?? "";
    const draftId = await openDraftFor(services(ben), "story", item);
    expect(await openDraftFor(services(ana), "story", item)).toBe(draftId);
    expect(await openDraftFor(services(ana), "story", crypto.randomUUID())).toBeNull();
    const draft = await findDraft(database.db, draftId ?? "");
    expect(draft?.fields).toEqual(story);
    await press(draftId ?? "", "publish", { ...story, title: "The ferry is late" });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toMatchObject({
      title: "The ferry is late",
    });
    expect(await database.db.$count(storySubmissions)).toBe(1);
  });

  it("of a published story get its corrections, and lose their date when it is taken down", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const [row] = await database.db.select().from(storySubmissions);
    const draftId = (await openDraftFor(services(ben), "story", row?.id ?? "")) ?? "";
    await press(draftId, "schedule", story, { publishAt: "2026-11-15T13:30" });
    const item = await findPublished(services(), { kind: "story", id: "the-ferry-is-back" });
    if (!item) throw new Error("There is no story.");
    const change = { editor: ana, typed: "It is a boat." };
    expect(await changeItem(services(), item, { ...change, action: "correct" })).toMatchObject({
      kind: "done",
    });
    expect((await findDraft(database.db, draftId))?.fields.corrections).toEqual([
      { date: "2026-11-15", text: "It is a boat." },
    ]);
    await changeItem(services(), item, { ...change, action: "down" });
    now = new Date("2026-11-15T18:31:00Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toBeNull();
  });

  it("that were published become the story's again if their form is sent once more", async () => {
    const id = await begin();
    await press(id, "publish", story);
    await press(id, "publish", story);
    expect(await findDraft(database.db, id)).toMatchObject({ item: id });
    await press(id, "publish", story);
    expect(await database.db.$count(storySubmissions)).toBe(1);
  });

  it("that two pages restore lose neither text", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const save = async (text: string) => (await press(id, "save", { ...story, text }, {}, 1)).kind;
    expect((await Promise.all([save("Ben's text"), save("Ana's text")])).toSorted()).toEqual([
      "conflict",
      "saved",
    ]);
    expect(await save("Ana's other tab")).toBe("conflict");
    await press(id, "delete", story);
    await openDraftFor(services(ben), "story", id);
    expect(await save("Ana's other tab")).toBe("conflict");
  });

  it("need real dates of their corrections", async () => {
    const corrections = [{ date: "0026-11-18", text: "It is a boat." }];
    const id = await begin();
    expect(await press(id, "publish", { ...story, corrections })).toMatchObject({
      kind: "refused",
      errors: { corrections: expect.any(String) },
    });
  });

  it("are published at their time, unless something is missing by then", async () => {
    const id = await begin();
    const when = { publishAt: "2026-11-15T13:30" };
    expect(await press(id, "schedule", story, { publishAt: "2026-11-15T11:59" })).toMatchObject({
      kind: "refused",
      errors: { publishAt: expect.any(String) },
    });
    expect(await press(id, "schedule", story, when)).toEqual({ kind: "saved" });
    const other = await begin({ ...story, title: "Another" });
    await press(other, "schedule", { ...story, title: "Another" }, when);
    const withoutTitle = toForm({ ...story, title: "" }, "save", 1);
    await receiveSave(services(ana), other, withoutTitle);
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await showDrafts(services(ana))).toMatchObject([
      { id: other, publishAt: "Nov 15, 2026, 1:30 PM", missing: ["Type a title."] },
      { id, publishAt: "Nov 15, 2026, 1:30 PM", missing: [] },
    ]);
    now = new Date("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toMatchObject({
      publishedAt: new Date("2026-11-15T18:30:00Z"),
    });
    const letters = await database.db.select().from(mails);
    expect(letters.map(({ recipient }) => recipient).toSorted()).toEqual(
      [ana.email, ben.email].toSorted(),
    );
    expect(letters[0]?.text).toContain("- Type a title.");
    // What is typed later is not published before somebody says so.
    await receiveSave(services(ana), other, toForm({ ...story, title: "Anoth" }, "save", 2));
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await readActions()).toEqual([
      "began",
      "scheduled",
      "began",
      "scheduled",
      "published",
      "could not publish",
    ]);
  });

  it("of an editor who was removed wait until another editor schedules them again", async () => {
    const id = await begin();
    await press(id, "schedule", story, { publishAt: "2026-11-15T13:30" });
    editors = [ben];
    expect(await showDrafts(services(ben))).toMatchObject([
      { missing: [expect.stringContaining("Ana Reyes is no longer an editor.")] },
    ]);
    now = new Date("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    const form = toForm(story, "schedule", 1);
    form.set("publishAt", "2026-11-15T13:40");
    await receiveDraft(services(ben), id, { kind: "whole", form });
    now = new Date("2026-11-15T18:40:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    editors = [ana, ben];
  });

  it("that somebody deleted come back when the editor saves what is still on the page", async () => {
    const id = await begin();
    expect(await press(id, "delete", story)).toEqual({ kind: "deleted" });
    const form = toForm(story, "save", 1);
    expect(await receiveSave(services(ana), id, form)).toEqual({ kind: "missing" });
    expect(await press(id, "save", { ...story, text: "Still here" })).toEqual({ kind: "saved" });
    expect(await findDraft(database.db, id)).toMatchObject({ fields: { text: "Still here" } });
  });

  it("are deleted as the editor saw them, or the editor learns what happened", async () => {
    const id = await begin();
    const ofBen = { ...story, text: "Ben's text" };
    await receiveSave(services(ben), id, toForm(ofBen, "save", 1));
    expect(await press(id, "delete", emptyFields, {}, 1)).toMatchObject({
      kind: "refused",
      summary: "Nothing was deleted: Ben Ortiz has changed this draft since.",
      typed: ofBen,
      revision: 2,
    });
    expect(await press(id, "delete", emptyFields, {}, 2)).toEqual({ kind: "deleted" });
    // The page of the draft says who deleted it, or that it was published.
    expect(await press(id, "delete", emptyFields, {}, 2)).toEqual({ kind: "missing" });
  });

  const findItem = async (id: string) => (await findDraft(database.db, id))?.item ?? null;

  it("of posts are published with their photo; a form that is sent once more and an edit change the same post", async () => {
    const post = { ...story, category: "", text: "Boats." };
    const file = new File([new Uint8Array(photo)], "pier.jpg", { type: "image/jpeg" });
    const id = await begin(post, "post");
    const published = { kind: "published", path: "/blog/the-ferry-is-back" };
    expect(
      await press(id, "publish", { ...post, alt: "The pier" }, { photo: file, kind: "post" }),
    ).toEqual(published);
    const [row] = await database.db.select().from(blogPosts);
    expect(row).toMatchObject({
      blog: "Boats.",
      author: ["Ana Reyes", "Sam Cole"],
      image: { alt: "The pier", width: 8, height: 6 },
    });
    // The photo belongs to the post now, so that its next draft may keep it.
    const item = String(row?.id);
    await press(id, "save", { ...post, title: "Late" }, { kind: "post" });
    expect(await findItem(id)).toBe(item);
    expect(await openDraftFor(services(ben), "post", item)).toBe(id);
    const image = row?.image?.id ?? "";
    expect(await press(id, "publish", { ...post, title: "Late", image, alt: "The pier" })).toEqual(
      published,
    );
    expect(await database.db.select().from(blogPosts)).toMatchObject([
      { metaTitle: "Late", image: { id: image }, state: "published" },
    ]);

    // The draft gets the post's corrections, and loses its date when the post is taken down.
    await openDraftFor(services(ana), "post", item);
    const when = { publishAt: "2026-11-15T13:30" };
    await press(id, "schedule", { ...post, title: "Later" }, when);
    const publishedPost = await findPublished(services(), {
      kind: "post",
      id: "the-ferry-is-back",
    });
    if (!publishedPost) throw new Error("There is no post.");
    const change = { editor: ana, typed: "It is a boat." };
    await changeItem(services(), publishedPost, { ...change, action: "correct" });
    await changeItem(services(), publishedPost, { ...change, action: "down" });
    expect(await findDraft(database.db, id)).toMatchObject({
      publishAt: null,
      fields: { title: "Later", corrections: [{ text: "It is a boat." }] },
    });
    expect(await readActions()).toEqual([
      "began",
      "published",
      "began to edit",
      "updated",
      "began to edit",
      "scheduled",
      "corrected",
      "took down",
    ]);
  });

  it("of events follow the rules of the readers' form, are published at their time, and change events of readers too", async () => {
    const event: DraftFields = {
      ...emptyFields,
      title: "Concert on the pier",
      text: "Bring a blanket.",
      location: "Canton Waterfront Park",
      category: site.read(eventsFile).categories[0]?.name ?? "",
      day: "2026-11-20",
      starts: "19:00",
      ends: "21:00",
      free: true,
    };
    const id = await begin(emptyFields, "event");
    expect(await press(id, "publish", emptyFields)).toMatchObject({
      kind: "refused",
      errors: {
        title: expect.any(String),
        text: expect.any(String),
        location: expect.any(String),
        day: expect.any(String),
        starts: expect.any(String),
        category: expect.any(String),
      },
    });
    expect(await press(id, "schedule", event, { publishAt: "2026-11-15T13:30" })).toEqual({
      kind: "saved",
    });
    now = new Date("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    const [row] = await database.db.select().from(eventSubmissions);
    expect(row).toMatchObject({
      title: event.title,
      description: event.text,
      startsAt: new Date("2026-11-21T00:00:00Z"),
      free: true,
      origin: "desk",
      state: "approved",
    });

    if (!row) throw new Error("The event is missing.");
    await database.db
      .insert(eventSubmissions)
      .values({ ...row, id: "fair-1", key: "fair", origin: "reader", draftId: null });
    const ofReader = (await openDraftFor(services(ben), "event", "fair-1")) ?? "";
    expect(await findDraft(database.db, ofReader)).toMatchObject({ fields: event });
    const later = { ...event, starts: "20:00" };
    expect(await press(ofReader, "publish", later)).toEqual({
      kind: "published",
      path: "/events/fair-1",
    });
    await press(ofReader, "save", later, { kind: "event" });
    expect(await findItem(ofReader)).toBe("fair-1");
    expect(await openDraftFor(services(ben), "event", "\u0000")).toBeNull();
  });

  it("show only their own images, and those of what they change", async () => {
    const file = new File([new Uint8Array(photo)], "ferry.jpg", { type: "image/jpeg" });
    const other = await begin();
    await press(other, "save", story, { photo: file });
    const image = (await findDraft(database.db, other))?.fields.image ?? "";
    const text = `![A ferry](${storedImagePath(image)})`;
    const refused = {
      kind: "refused",
      errors: { photo: expect.any(String), text: expect.any(String) },
    };
    const id = await begin();
    const borrowed = { ...story, image, alt: "A ferry", text };
    expect(await press(id, "publish", borrowed)).toMatchObject(refused);
    await press(other, "publish", { ...story, image, alt: "A ferry" }, {}, 2);
    expect(await press(id, "publish", borrowed, {}, 2)).toMatchObject(refused);
    for (const shown of [
      "https://example.com/ferry.jpg",
      "//example.com/ferry.jpg",
      `${storedImagePath(image)}?x`,
      storedImagePath(image.toUpperCase()),
      `/desk/images/${image}.webp`,
    ])
      for (const foreign of [`![A ferry](${shown} "T")`, `![A ferry][1]\n\n[1]: ${shown}`])
        expect(await press(id, "publish", { ...story, text: foreign })).toMatchObject({
          kind: "refused",
          errors: { text: expect.stringContaining(shown) },
        });
    // The text may name the image in another way. Then readers do not get it with this story.
    await press(id, "publish", { ...story, text: `[A ferry](${storedImagePath(image)})` });
    expect(await database.db.$count(storyImages)).toBe(1);
  });

  it("are saved without characters that the database does not store, and refuse impossible times", async () => {
    const id = await begin();
    const odd = { ...story, title: "The\u0000 ferry", authors: "Ana\u0007" };
    const form = toForm(odd, "save", 1);
    form.set("correctionText", "A\u0000 boat");
    expect(await receiveSave(services(ana), id, form)).toMatchObject({ kind: "saved" });
    expect(await findDraft(database.db, id)).toMatchObject({
      fields: { title: "The ferry", authors: "Ana", corrections: [{ text: "A boat" }] },
    });
    for (const publishAt of ["9999-99-99T99:99", "2026-02-31T25:00", "2099-02-31T10:00", "x", ""])
      expect(await press(id, "schedule", story, { publishAt }, 2)).toMatchObject({
        kind: "refused",
        errors: { publishAt: "Choose a day and a time in the future." },
      });
  });

  it("with two versions below each other are not published", async () => {
    const text = `Mine\n\n${toMergeLine("Ben Ortiz, 1:23 PM")}\n\nHis`;
    for (const kind of itemKinds) {
      const id = await begin({ ...story, text }, kind);
      expect(await press(id, "publish", { ...story, text })).toMatchObject({
        kind: "refused",
        errors: { text: mergeLineMessage },
      });
    }
  });
});
