import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { readSite } from "../../../../server/site/site-files.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { runInThisThread } from "../../../../tests/support/worker-pool.ts";
import { createLog } from "../../../lib/log.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { findApprovedStory } from "../../stories/readers/approved.server.ts";
import { storySubmissions } from "../../stories/readers/schema.server.ts";
import { publishedStories } from "../../stories/schema.server.ts";
import { readLog } from "../log/log.server.ts";
import { changeItem } from "../published/change-item.server.ts";
import { findItem } from "../published/kinds.server.ts";
import { deskLog } from "../schema.server.ts";
import {
  createDraft,
  findDraft,
  listDrafts,
  openDraftFor,
  saveDraft,
  takeOver,
} from "./drafts.server.ts";
import {
  type DraftFields,
  emptyFields,
  imagePath,
  intentField,
  writeDraftFields,
} from "./model.ts";
import { publishDueDrafts } from "./publish.server.ts";
import { receiveDraft, receiveSave } from "./receive.server.ts";
import { deskDrafts, deskImages } from "./schema.server.ts";
import { showDraft, showDrafts } from "./show.server.ts";

const ana = { name: "Ana Reyes", email: "ana@example.com" };
const ben = { name: "Ben Ortiz", email: "ben@example.com" };
const site = await readSite("sites/baltimore", [siteSettingsFile, sectionsFile, newsFolder]);
const photo = await sharp({ create: { width: 8, height: 6, channels: 3, background: "navy" } })
  .jpeg()
  .toBuffer();
const story: DraftFields = {
  ...emptyFields,
  title: "The ferry is back",
  text: "It is **back**.",
  category: "Transportation",
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
    const tables = [deskDrafts, storySubmissions, publishedStories, deskLog];
    for (const table of tables) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const services = () => ({
    db: database.db,
    // The log is in the order of time.
    clock: () => {
      now = new Date(now.getTime() + 1);
      return now;
    },
    site,
    log: createLog({ write: () => true }),
    runInWorker: runInThisThread,
  });
  const begin = (fields: DraftFields = story) =>
    createDraft(services(), ana, { kind: "story", fields });
  const toForm = (fields: DraftFields, intent: string, revision: number) => {
    const form = writeDraftFields(new FormData(), fields);
    form.set(intentField, intent);
    form.set("revision", String(revision));
    return form;
  };
  const press = (id: string, intent: string, fields: DraftFields, more = {}, revision = 1) => {
    const form = toForm(fields, intent, revision);
    for (const [name, value] of Object.entries<string | File>(more)) form.set(name, value);
    return receiveDraft(services(), ana, id, { kind: "whole", form });
  };
  const readActions = async () =>
    (await readLog(database.db, { count: 20 })).map(({ action }) => action).reverse();

  it("are saved only over the revision that the editor saw, so that two saves at once lose nothing", async () => {
    const id = await begin();
    const save = (editor: typeof ana, text: string) =>
      saveDraft(services(), editor, { id, revision: 1, fields: { ...story, text } });
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
    expect(await saveDraft(services(), ana, { id, revision: 1, fields })).toMatchObject({
      kind: "saved",
      draft: { revision: 2 },
    });
  });

  it("show who has them open; taking one over stops the other editor from saving unseen", async () => {
    const id = await begin();
    now = new Date("2026-11-15T17:02:30Z");
    const [listed] = await showDrafts(services(), ben);
    expect(listed).toMatchObject({ open: { name: "Ana Reyes", ago: "2 minutes ago" } });
    expect((await showDrafts(services(), ana))[0]?.open).toBeNull();
    await takeOver(services(), ben, id);
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("The draft is missing.");
    expect(await showDraft(services(), ana, draft)).toMatchObject({ open: { name: "Ben Ortiz" } });
    const late = toForm({ ...story, text: "Ana's last words" }, "save", 1);
    expect(await receiveSave(services(), ana, id, late)).toMatchObject({
      kind: "conflict",
      editorName: "Ben Ortiz",
    });
    const open = toForm(story, "open", 1);
    expect(await receiveSave(services(), ana, id, open)).toMatchObject({ kind: "conflict" });
    // Nobody has to take over what has been closed for a while.
    now = new Date("2026-11-15T17:10:00Z");
    expect(await showDraft(services(), ana, draft)).toMatchObject({ open: null });
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
    const text = `It is back.\n\n![](${imagePath(inText)})`;
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
    expect(published).toEqual({ kind: "published", slug: "the-ferry-is-back" });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toMatchObject({
      title: story.title,
      authors: ["Ana Reyes", "Sam Cole"],
      corrections: [{ date: "2026-11-15", text: "It is a boat." }],
      images: [{ file: imagePath(image), alt: "A ferry" }],
    });
    expect(await listDrafts(database.db)).toEqual([]);
    expect(await database.db.select().from(deskImages)).toEqual([]);
    expect(await readActions()).toEqual(["began", "published"]);
  });

  it("of a published story change it, and one story has only one draft", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const [row] = await database.db.select().from(storySubmissions);
    const item = row?.id ?? "";
    const draftId = await openDraftFor(services(), ben, "story", item);
    expect(await openDraftFor(services(), ana, "story", item)).toBe(draftId);
    expect(await openDraftFor(services(), ana, "story", crypto.randomUUID())).toBeNull();
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
    const draftId = (await openDraftFor(services(), ben, "story", row?.id ?? "")) ?? "";
    await press(draftId, "schedule", story, { publishAt: "2026-11-15T13:30" });
    const item = await findItem(services(), { kind: "story", id: "the-ferry-is-back" });
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
    await receiveSave(services(), ana, other, withoutTitle);
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    now = new Date("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    expect(await findApprovedStory(database.db, "the-ferry-is-back")).toMatchObject({
      publishedAt: new Date("2026-11-15T18:30:00Z"),
    });
    expect(await showDrafts(services(), ana)).toMatchObject([
      { id: other, publishAt: "Nov 15, 2026, 1:30 PM", missing: ["Type a title."] },
    ]);
    await press(other, "unschedule", { ...story, title: "Another" }, {}, 2);
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await readActions()).toEqual([
      "began",
      "scheduled",
      "began",
      "scheduled",
      "published",
      "unscheduled",
    ]);
  });

  it("that somebody deleted come back when the editor saves what is still on the page", async () => {
    const id = await begin();
    expect(await press(id, "delete", story)).toEqual({ kind: "deleted" });
    const form = toForm(story, "save", 1);
    expect(await receiveSave(services(), ana, id, form)).toEqual({ kind: "missing" });
    expect(await press(id, "save", { ...story, text: "Still here" })).toEqual({ kind: "saved" });
    expect(await findDraft(database.db, id)).toMatchObject({ fields: { text: "Still here" } });
  });
});
