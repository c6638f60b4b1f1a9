import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { databaseKinds } from "../../../../tests/support/database.ts";
import { ana, ben, files, openDrafts, story, toForm } from "../../../../tests/support/drafts.ts";
import { storedImagePath } from "../../../lib/images/stored-image.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { findApprovedStory } from "../../stories/approved.server.ts";
import { storyImages, storySubmissions } from "../../stories/schema.server.ts";
import { findItem as findPublished } from "../kinds/kinds.server.ts";
import { changeItem } from "../published/change-item.server.ts";
import { type ItemAction, itemKinds } from "../published/model.ts";
import { findDraft, listDrafts, openDraftFor } from "./drafts.server.ts";
import {
  type DraftFields,
  emptyFields,
  maxLengths,
  mergeLineMessage,
  toMergeLine,
} from "./model.ts";
import { publishDueDrafts } from "./publish.server.ts";
import { receiveDraft, receiveSave } from "./receive.server.ts";
import { deskImages } from "./schema.server.ts";
import { showDraft, showDrafts } from "./show.server.ts";

const photo = await sharp({ create: { width: 8, height: 6, channels: 3, background: "navy" } })
  .jpeg()
  .toBuffer();

describe.each(databaseKinds)("drafts that are published, on %s", (kind) => {
  const { db, setTime, setEditors, services, begin, press, readActions } = openDrafts(kind);

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
    const [stored] = await db().select().from(deskImages).where(eq(deskImages.id, image));
    if (!stored) throw new Error("The photo is missing.");
    await db()
      .insert(deskImages)
      .values({ ...stored, id: inText });
    const published = await press(id, "publish", complete, {}, refused.revision + 1);
    expect(published).toEqual({ kind: "published", path: "/news/the-ferry-is-back" });
    expect(await findApprovedStory(db(), "the-ferry-is-back")).toMatchObject({
      title: story.title,
      authors: ["Ana Reyes", "Sam Cole"],
      corrections: [{ date: "2026-11-15", text: "It is a boat." }],
      images: [{ file: storedImagePath(image), alt: "A ferry" }],
    });
    expect(await listDrafts(db())).toEqual([]);
    expect(await db().select().from(deskImages)).toEqual([]);
    expect(await readActions()).toEqual(["published"]);
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
    await db().update(storySubmissions).set({ category: "Ferries" });
    await openDraftFor(services(ana), "story", id);
    const same = { ...story, category: "Ferries" };
    expect(await press(id, "publish", same)).toMatchObject({ kind: "published" });
  });

  it("need links that browsers open", async () => {
    const id = await begin();
    const tryLink = (target: string) =>
      press(id, "publish", { ...story, text: `[The ferry](${target})` });
    expect(await tryLink("htp://example.com")).toMatchObject({
      errors: { text: expect.stringContaining("A link in the text leads nowhere.") },
    });
    expect(await tryLink("https://example.com")).toMatchObject({ kind: "published" });
    const text = `<a href="htp://example.com">The ferry</a>`;
    expect(await press(await begin(story, "post"), "publish", { ...story, text })).toMatchObject({
      errors: { text: expect.stringContaining("A link in the text leads nowhere.") },
    });
  });

  it("need real dates of their corrections", async () => {
    const corrections = [{ date: "0026-11-18", text: "It is a boat." }];
    const id = await begin();
    expect(await press(id, "publish", { ...story, corrections })).toMatchObject({
      kind: "refused",
      errors: { corrections: expect.any(String) },
    });
  });

  it("of a published story change it, and one story has only one draft", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const [row] = await db().select().from(storySubmissions);
    const item = row?.id ?? "";
    const draftId = await openDraftFor(services(ben), "story", item);
    expect(await openDraftFor(services(ana), "story", item)).toBe(draftId);
    expect(await openDraftFor(services(ana), "story", crypto.randomUUID())).toBeNull();
    const draft = await findDraft(db(), draftId ?? "");
    expect(draft?.fields).toEqual(story);
    await press(draftId ?? "", "publish", { ...story, title: "The ferry is late" });
    expect(await findApprovedStory(db(), "the-ferry-is-back")).toMatchObject({
      title: "The ferry is late",
    });
    expect(await db().$count(storySubmissions)).toBe(1);
  });

  it("of a published story get its corrections, and lose their date when it is taken down", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const [row] = await db().select().from(storySubmissions);
    const draftId = (await openDraftFor(services(ben), "story", row?.id ?? "")) ?? "";
    await press(draftId, "schedule", story, { publishAt: "2026-11-15T13:30" });
    const item = await findPublished(services(), { kind: "story", id: "the-ferry-is-back" });
    if (!item) throw new Error("There is no story.");
    const change = { editor: ana, typed: "It is a boat." };
    expect(await changeItem(services(), item, { ...change, action: "correct" })).toMatchObject({
      kind: "done",
    });
    expect((await findDraft(db(), draftId))?.fields.corrections).toEqual([
      { date: "2026-11-15", text: "It is a boat." },
    ]);
    await changeItem(services(), item, { ...change, action: "down" });
    setTime("2026-11-15T18:31:00Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await findApprovedStory(db(), "the-ferry-is-back")).toBeNull();
  });

  it("that an editor has open are not published over what somebody else did to the story, until the editor knows", async () => {
    const id = await begin();
    await press(id, "publish", story);
    const open = async () => {
      await openDraftFor(services(ana), "story", id);
      return (await findDraft(db(), id))?.revision ?? 0;
    };
    const change = async (action: ItemAction) => {
      const item = await findPublished(services(), { kind: "story", id: "the-ferry-is-back" });
      if (item) await changeItem(services(ben), item, { action });
    };
    const refuse = (text: string, revision: number, fields = story) => ({
      kind: "conflict",
      typed: story,
      response: { revision: revision + 1, change: `Ben Ortiz ${text} this story.`, fields },
    });
    const when = { publishAt: "2026-11-15T13:30" };
    const revision = await open();
    await change("down");
    for (const intent of ["publish", "schedule"])
      expect(await press(id, intent, story, when, revision)).toMatchObject(
        refuse("took down", revision),
      );
    expect(await findApprovedStory(db(), "the-ferry-is-back")).toBeNull();
    // The page that is open learns it without a press.
    expect(await receiveSave(services(), id, toForm(story, "open", revision))).toMatchObject({
      change: "Ben Ortiz took down this story.",
    });
    expect(await press(id, "publish", story, {}, revision + 1)).toMatchObject({
      kind: "published",
    });

    const next = await open();
    await change("pin");
    const pinned = { ...story, isPinned: true };
    expect(await press(id, "publish", story, {}, next)).toMatchObject(
      refuse("pinned", next, pinned),
    );
    expect((await findDraft(db(), id))?.fields).toEqual(pinned);
  });

  it.each(itemKinds)(
    "say in the log that a %s which was taken down, or unpublished, is on the site again",
    async (kind) => {
      const category =
        kind === "event" ? (files.read(eventsFile).categories[0]?.name ?? "") : story.category;
      const fields = { ...story, category, location: "Pier 5", day: "2026-11-20", starts: "19:00" };
      const id = await begin(fields, kind);
      await press(id, "publish", fields);
      const [event] = await db().select().from(eventSubmissions);
      const item = await findPublished(services(), { kind, id: event?.id ?? "the-ferry-is-back" });
      if (!item?.rowId) throw new Error("It was not published.");
      for (const action of ["down", "draft"] as const) {
        await openDraftFor(services(ana), kind, item.rowId);
        await changeItem(services(ben), item, { action });
        expect(await press(id, "publish", fields)).toMatchObject({ kind: "published" });
        expect((await readActions()).at(-1)).toBe("published again");
      }
      await openDraftFor(services(ana), kind, item.rowId);
      await press(id, "publish", fields);
      expect((await readActions()).at(-1)).toBe("updated");
    },
  );

  it("that were published become the story's again if their form is sent once more", async () => {
    const id = await begin();
    await press(id, "publish", story);
    await press(id, "publish", story);
    expect(await findDraft(db(), id)).toMatchObject({ rowId: id });
    await press(id, "publish", story);
    expect(await db().$count(storySubmissions)).toBe(1);
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
    const obstacles = ["Type a title."];
    expect(await receiveSave(services(ana), other, withoutTitle)).toMatchObject({ obstacles });
    // The page asks every ten seconds, and needs no answer that takes a render.
    const open = toForm(story, "open", 2);
    expect(await receiveSave(services(ana), other, open)).toMatchObject({ obstacles: [] });
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await showDrafts(services(ana))).toMatchObject([
      { id: other, publishAt: "Nov 15, 2026, 1:30 PM", obstacles },
      { id, publishAt: "Nov 15, 2026, 1:30 PM", obstacles: [] },
    ]);
    setTime("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    expect(await findApprovedStory(db(), "the-ferry-is-back")).toMatchObject({
      publishedAt: new Date("2026-11-15T18:30:00Z"),
    });
    const letters = await db().select().from(mails);
    expect(letters.map(({ recipient }) => recipient).toSorted()).toEqual(
      [ana.email, ben.email].toSorted(),
    );
    expect(letters[0]?.text).toContain("- Type a title.");
    // What is typed later is not published before somebody says so.
    await receiveSave(services(ana), other, toForm({ ...story, title: "Anoth" }, "save", 2));
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect(await readActions()).toEqual([
      "scheduled",
      "scheduled",
      "published",
      "could not publish",
    ]);
  });

  it("lose their date ten minutes after it if each attempt ends with an unexpected error", async () => {
    const id = await begin();
    await press(id, "schedule", story, { publishAt: "2026-11-15T13:30" });
    const other = await begin({ ...story, title: "Another" });
    const when = { publishAt: "2026-11-15T13:31" };
    await press(other, "schedule", { ...story, title: "Another" }, when);
    // A story with the draft's id cannot be stored.
    await db()
      .insert(storySubmissions)
      .values({
        id,
        key: "x",
        title: "The cat",
        text: "It began.",
        name: "Ann",
        email: "",
        state: "waiting",
        createdAt: new Date("2026-11-14T17:00:00Z"),
      });
    setTime("2026-11-15T18:31:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    expect((await findDraft(db(), id))?.publishAt).not.toBeNull();
    expect(await db().$count(mails)).toBe(0);
    setTime("2026-11-15T18:40:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    expect((await findDraft(db(), id))?.publishAt).toBeNull();
    const [mail] = await db().select().from(mails);
    expect(mail?.text).toContain("- An unexpected error occurred.");
    expect(await readActions()).toContain("could not publish");
  });

  it("of an editor who was removed wait until another editor schedules them again", async () => {
    const id = await begin();
    await press(id, "schedule", story, { publishAt: "2026-11-15T13:30" });
    setEditors([ben]);
    expect(await showDrafts(services(ben))).toMatchObject([
      { obstacles: [expect.stringContaining("Ana Reyes is no longer an editor.")] },
    ]);
    setTime("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 0 });
    const form = toForm(story, "schedule", 1);
    form.set("publishAt", "2026-11-15T13:40");
    await receiveDraft(services(ben), id, { kind: "whole", form });
    setTime("2026-11-15T18:40:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    setEditors([ana, ben]);
  });

  const findItem = async (id: string) => (await findDraft(db(), id))?.rowId ?? null;

  it("of posts are published with their photo; a form that is sent once more and an edit change the same post", async () => {
    const post = { ...story, category: "", text: "Boats." };
    const file = new File([new Uint8Array(photo)], "pier.jpg", { type: "image/jpeg" });
    const id = await begin(post, "post");
    const published = { kind: "published", path: "/blog/the-ferry-is-back" };
    expect(
      await press(id, "publish", { ...post, alt: "The pier" }, { photo: file, kind: "post" }),
    ).toEqual(published);
    const [row] = await db().select().from(blogPosts);
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
    expect(await db().select().from(blogPosts)).toMatchObject([
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
    expect(await findDraft(db(), id)).toMatchObject({
      publishAt: null,
      fields: { title: "Later", corrections: [{ text: "It is a boat." }] },
    });
    expect(await readActions()).toEqual([
      "published",
      "updated",
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
      category: files.read(eventsFile).categories[0]?.name ?? "",
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
    setTime("2026-11-15T18:30:20Z");
    expect(await publishDueDrafts(services())).toEqual({ published: 1 });
    const [row] = await db().select().from(eventSubmissions);
    expect(row).toMatchObject({
      title: event.title,
      description: event.text,
      startsAt: new Date("2026-11-21T00:00:00Z"),
      free: true,
      writtenBy: "desk",
      state: "approved",
    });

    if (!row) throw new Error("The event is missing.");
    await db()
      .insert(eventSubmissions)
      .values({ ...row, id: "fair-1", key: "fair", writtenBy: "reader", draftId: null });
    const ofReader = (await openDraftFor(services(ben), "event", "fair-1")) ?? "";
    expect(await findDraft(db(), ofReader)).toMatchObject({ fields: event });
    const later = { ...event, starts: "20:00" };
    expect(await press(ofReader, "publish", later)).toEqual({
      kind: "published",
      path: "/events/fair-1",
    });
    await press(ofReader, "save", later, { kind: "event" });
    expect(await findItem(ofReader)).toBe("fair-1");
    expect(await openDraftFor(services(ben), "event", "\u0000")).toBeNull();
  });

  it("of a story or an event that is no longer approved wait until it is approved again", async () => {
    const day = {
      day: "2026-11-20",
      createdAt: new Date("2026-11-14T17:00:00Z"),
      visitorHash: "n",
    };
    const [ofReader] = await db()
      .insert(storySubmissions)
      .values({
        ...day,
        key: "cat",
        writtenBy: "reader",
        title: "The cat",
        text: "It began.",
        category: "Neighborhoods",
        name: "Ann",
        email: "",
        slug: "the-cat",
        state: "approved",
      })
      .returning({ id: storySubmissions.id });
    await db()
      .insert(eventSubmissions)
      .values({
        ...day,
        id: "walk-1",
        key: "walk",
        writtenBy: "reader",
        title: "Lantern walk",
        description: "Bring a lantern.",
        location: "Pier 5",
        category: files.read(eventsFile).categories[0]?.name ?? "",
        free: true,
        url: "",
        name: "Lee",
        email: "",
        startsAt: new Date("2026-11-21T00:00:00Z"),
        endsAt: new Date("2026-11-21T00:00:00Z"),
        state: "approved",
      });
    for (const [itemKind, item, table] of [
      ["story", ofReader?.id ?? "", storySubmissions],
      ["event", "walk-1", eventSubmissions],
    ] as const)
      for (const state of ["waiting", "rejected"] as const) {
        await db().update(table).set({ state: "approved" });
        const id = (await openDraftFor(services(), itemKind, item)) ?? "";
        const fields = (await findDraft(db(), id))?.fields ?? emptyFields;
        await db().update(table).set({ state });
        const refused = {
          kind: "refused",
          errors: { text: expect.stringContaining(`This ${itemKind} is not approved.`) },
        };
        expect(await press(id, "publish", fields)).toMatchObject(refused);
        const when = { publishAt: "2026-12-15T13:30" };
        expect(await press(id, "schedule", fields, when)).toMatchObject(refused);
        expect(await showDraft(services(), (await findDraft(db(), id)) as never)).toMatchObject({
          unapprovedPath: `/desk/waiting/${itemKind}/${item}`,
        });
        await press(id, "delete", fields);
        // The form of a draft that is gone makes it the item's draft again.
        expect(await press(id, "save", fields, { kind: itemKind })).toEqual({ kind: "saved" });
        expect(await press(id, "publish", fields)).toMatchObject(refused);
        await db().update(table).set({ state: "approved" });
        expect(await press(id, "publish", fields)).toMatchObject({ kind: "published" });
        expect(await db().$count(table)).toBe(1);
      }
  });

  it("show only their own images, and those of what they change", async () => {
    const file = new File([new Uint8Array(photo)], "ferry.jpg", { type: "image/jpeg" });
    const other = await begin();
    await press(other, "save", story, { photo: file });
    const image = (await findDraft(db(), other))?.fields.image ?? "";
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
    // Readers also see the HTML in a post.
    const post = await begin(story, "post");
    for (const html of [
      `<img src="https://example.com/ferry.jpg">`,
      `<img src="/pictures/1.webp">`,
    ])
      expect(await press(post, "publish", { ...story, text: html })).toMatchObject({
        errors: { text: expect.stringContaining(html.slice(10, -2)) },
      });
    // The text may name the image in another way. Then readers do not get it with this story.
    await press(id, "publish", { ...story, text: `[A ferry](${storedImagePath(image)})` });
    expect(await db().$count(storyImages)).toBe(1);
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
