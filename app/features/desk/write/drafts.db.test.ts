import type { SQL } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../../db/database.ts";
import { databaseKinds } from "../../../../tests/support/database.ts";
import { ana, ben, openDrafts, story, toForm } from "../../../../tests/support/drafts.ts";
import {
  findDraft,
  listDrafts,
  markClosed,
  markOpen,
  openDraftFor,
  saveDraft,
  takeOver,
} from "./drafts.server.ts";
import { draftPath, emptyFields, tooLargeMessage } from "./model.ts";
import { receiveDraft, receiveSave } from "./receive.server.ts";
import { deskDrafts } from "./schema.server.ts";
import { showDraft, showDrafts } from "./show.server.ts";

describe.each(databaseKinds)("drafts, on %s", (kind) => {
  const { db, setTime, services, begin, press, readActions } = openDrafts(kind);

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
    expect(await findDraft(db(), id)).toMatchObject({ revision: 2 });
    // The same text again is a save whose response was lost.
    const fields = saved?.kind === "saved" ? saved.draft.fields : story;
    expect(await saveDraft(services(ana), { id, revision: 1, fields })).toMatchObject({
      kind: "saved",
      draft: { revision: 2 },
    });
  });

  it("show who has them open; taking one over stops the other editor from saving unseen", async () => {
    const id = await begin();
    setTime("2026-11-15T17:02:30Z");
    const [listed] = await showDrafts(services(ben));
    expect(listed).toMatchObject({ open: { name: "Ana Reyes", ago: "2 minutes ago" } });
    expect((await showDrafts(services(ana)))[0]?.open).toBeNull();
    await takeOver(services(ben), id);
    const draft = await findDraft(db(), id);
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
    const same = toForm(story, "save", 1);
    expect(await receiveSave(services(ana), id, same)).toMatchObject({ kind: "conflict" });
    expect(await findDraft(db(), id)).toMatchObject({ openName: "Ben Ortiz" });
    const open = toForm(story, "open", 1);
    expect(await receiveSave(services(ana), id, open)).toMatchObject({ kind: "conflict" });
    // Nobody has to take over what is closed, or has shown no sign of life for a while.
    await markClosed(services(ana), id);
    expect((await showDrafts(services(ana)))[0]?.open).toMatchObject({ name: "Ben Ortiz" });
    await markClosed(services(ben), id);
    expect((await showDrafts(services(ana)))[0]?.open).toBeNull();
    setTime("2026-11-15T17:10:00Z");
    expect(await showDraft(services(ana), draft)).toMatchObject({ open: null });
    expect(await readActions()).toEqual(["took over"]);
  });

  it("stay with an editor who takes them over while the other page says that it is open", async () => {
    const id = await begin();
    const update = (table: typeof deskDrafts) => ({
      set: (values: object) => ({
        async where(condition: SQL) {
          await takeOver(services(ben), id);
          await db().update(table).set(values).where(condition);
        },
      }),
    });
    const late = Object.create(db(), { update: { value: update } });
    await markOpen({ ...services(ana), db: late }, { id, revision: 1 });
    expect(await findDraft(db(), id)).toMatchObject({ openName: "Ben Ortiz" });
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
    expect(await listDrafts(db())).toMatchObject([{ id, title: story.title }]);
    expect((await findDraft(db(), id))?.fields).toEqual(story);
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

  it("that somebody deleted come back when the editor saves what is still on the page", async () => {
    const id = await begin();
    expect(await press(id, "delete", story)).toEqual({ kind: "deleted" });
    const form = toForm(story, "save", 1);
    expect(await receiveSave(services(ana), id, form)).toEqual({ kind: "gone" });
    expect(await press(id, "save", { ...story, text: "Still here" })).toEqual({ kind: "saved" });
    expect(await findDraft(db(), id)).toMatchObject({ fields: { text: "Still here" } });
  });

  it("that somebody deletes while the editor saves them come back with the typed text", async () => {
    const id = await begin();
    const deleteAndSave: Database["transaction"] = async (...args) => {
      await db().delete(deskDrafts);
      return db().transaction(...args);
    };
    const late = Object.create(db(), { transaction: { value: deleteAndSave } });
    const form = toForm({ ...story, text: "Still here" }, "save", 1);
    const desk = { ...services(), db: late };
    expect(await receiveDraft(desk, id, { kind: "whole", form })).toEqual({ kind: "saved" });
    expect(await findDraft(db(), id)).toMatchObject({ fields: { text: "Still here" } });
  });

  it("say what was saved if only their photo is refused", async () => {
    const id = await begin();
    const photo = new File(["?"], "ferry.jpg", { type: "image/jpeg" });
    const readSummary = async (intent: string) => {
      const result = await press(id, intent, story, { photo });
      return result.kind === "refused" ? result.summary : result.kind;
    };
    expect(await readSummary("save")).toBe("The text is saved, but not the photo.");
    expect(await readSummary("publish")).toBe("This cannot be published yet.");
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
    expect(await press(id, "delete", emptyFields, {}, 2)).toEqual({ kind: "gone" });
  });

  it("are saved without characters that the database does not store, and refuse impossible times", async () => {
    const id = await begin();
    const odd = { ...story, title: "The\u0000 ferry", authors: "Ana\u0007" };
    const form = toForm(odd, "save", 1);
    form.set("correctionText", "A\u0000 boat");
    expect(await receiveSave(services(ana), id, form)).toMatchObject({ kind: "saved" });
    expect(await findDraft(db(), id)).toMatchObject({
      fields: { title: "The ferry", authors: "Ana", corrections: [{ text: "A boat" }] },
    });
    for (const publishAt of ["9999-99-99T99:99", "2026-02-31T25:00", "2099-02-31T10:00", "x", ""])
      expect(await press(id, "schedule", story, { publishAt }, 2)).toMatchObject({
        kind: "refused",
        errors: { publishAt: "Choose a day and a time in the future." },
      });
  });
});
