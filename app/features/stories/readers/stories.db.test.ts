import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { desc, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { runCommand } from "../../../../server/newsroom/commands.ts";
import { readSite } from "../../../../server/site/site-files.ts";
import { bareHost } from "../../../../tests/support/command-host.ts";
import { countWaitingForLock, openTestDatabase } from "../../../../tests/support/database.ts";
import { temporaryFolder } from "../../../../tests/support/server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { decideByCommand } from "../../desk/commands/decide-by-command.server.ts";
import { storiesCommand } from "../../desk/commands/stories-command.server.ts";
import { findSubmissions, listSubmissions } from "../../desk/waiting/list.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { hourCounts } from "../../forms/schema.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { approvedStories, findApprovedStory, findStoryImage } from "../approved.server.ts";
import { newsFolder } from "../files.server.ts";
import { rememberedStories, storyImages, storySubmissions } from "../schema.server.ts";
import { maxWaiting } from "./model.ts";
import { listStoryImages, readStoryImages } from "./moderation.server.ts";
import { deleteOldStories, storeStory } from "./submissions.server.ts";

const recipients = { newsroom: "news@example.com", tips: "tips@example.com", desk: null };

const clockAt = (instant: string) => () => new Date(instant);
const now = clockAt("2026-11-15T17:00:00Z");
const text = "One.\n\nTwo.";
const typed = { title: "The Cat", story: text, name: "Ann", email: "ann@example.com" };
const everyByte = Uint8Array.from({ length: 256 }, (_, value) => value);
const createImage = (alt: string) => ({ width: 4, height: 3, alt, bytes: everyByte });
const site = await readSite("sites/baltimore", [
  siteSettingsFile,
  contactFile,
  sectionsFile,
  newsFolder,
]);

describe("readers' stories", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    for (const table of [storySubmissions, mails, hourCounts]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const send = (
    key: string,
    { clock = now, title = typed.title, images = [createImage("a"), createImage("b")] } = {},
  ) => storeStory({ db: database.db, clock, recipients }, { ...typed, title }, images, key, "");
  const approve = async (
    id: string,
    images: { id: string; alt: string }[],
    fileNames: string[] = [],
  ) => {
    const [{ title = "" } = {}] = await findSubmissions(database.db, "story", id);
    const storyEdits = new Map([[id, { title, text, category: "Community", images }]]);
    const services = { db: database.db, clock: now, site: { ...site, names: () => fileNames } };
    const choice = { action: "accept" as const, storyEdits };
    return (await decideByCommand(services, await look([id]), choice)).decided[0]?.path;
  };
  /** What an editor who lists all stories now sees of these. */
  const look = async (ids: string[]) => {
    const all = await listSubmissions(database.db, "story", ["waiting", "approved", "rejected"]);
    return ids.map((id) => ({
      kind: "story" as const,
      id,
      state: all.find((story) => story.id === id)?.state ?? "none",
    }));
  };
  const reject = async (clock: typeof now, ids: string[], reason?: string) =>
    (
      await decideByCommand({ db: database.db, clock, site }, await look(ids), {
        action: "reject",
        reason,
      })
    ).senders;
  const nobody = { notified: 0, skipped: 0 };
  const listWaiting = () => listSubmissions(database.db, "story", ["waiting"]);

  it("are stored once with their images and one email, or not at all", async () => {
    await send("same");
    await send("same");
    const [story, ...others] = await listWaiting();
    expect(others).toEqual([]);
    expect(story).toMatchObject({
      title: typed.title,
      text,
      name: "Ann",
      email: typed.email,
      images: [{ alt: expect.anything() }, { alt: expect.anything() }],
    });
    const [mail, ...more] = await database.db.select().from(mails);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      recipient: "news@example.com",
      subject: "A reader submitted a story",
      headers: {},
    });
    expect(mail?.text).toContain(`stories approve ${story?.id.slice(0, 8)}`);

    // If the database refuses an image, nothing of the story is stored.
    await expect(
      send("broken", { images: [{ ...createImage("a"), width: Number.NaN }] }),
    ).rejects.toThrow();
    expect(await listWaiting()).toHaveLength(1);
    expect(await database.db.select().from(mails)).toHaveLength(1);
  });

  it("are refused while too many wait, except one that is sent again because its response was lost", async () => {
    const waiting = { ...typed, text, state: "waiting" as const, createdAt: now() };
    await database.db
      .insert(storySubmissions)
      .values(
        Array.from({ length: maxWaiting - 1 }, (_, index) => ({ ...waiting, key: `${index}` })),
      );
    expect(await send("last")).toBeUndefined();
    expect(await send("one more")).toEqual({
      story: expect.stringContaining("more stories waiting"),
    });
    expect(await send("last")).toBe("repeated");
  });

  it("keep their URL if another editor approves them at the same moment", async () => {
    const postgres = await openTestDatabase("postgres");
    const { db } = postgres;
    await storeStory({ db, clock: now, recipients }, typed, [], "key", "");
    const [story] = await listSubmissions(db, "story", ["waiting"]);
    const { id = "" } = story ?? {};
    let approved: ReturnType<typeof decideByCommand> | undefined;
    await db.transaction(async (tx) => {
      await tx
        .update(storySubmissions)
        .set({ slug: "the-first" })
        .where(eq(storySubmissions.id, id));
      approved = decideByCommand(
        { db, clock: now, site },
        [{ kind: "story", id, state: "waiting" }],
        { action: "accept" },
      );
      await expect.poll(() => countWaitingForLock(postgres)).toBe(1);
    });
    expect(await approved).toMatchObject({ decided: [{ path: "/news/the-first" }] });
    await postgres.close();
  });

  it("are locked in the order of their ids, as at the desk, so that no two editors wait for each other", async () => {
    const postgres = await openTestDatabase("postgres");
    const { db } = postgres;
    const [first = "", second = ""] = ["1", "2"].map((digit) => digit.repeat(32));
    for (const id of [second, first])
      await db
        .insert(storySubmissions)
        .values({ ...typed, text, id, key: id, state: "waiting", createdAt: now() });
    const stories = (await listSubmissions(db, "story", ["waiting"])).map(({ id, state }) => ({
      kind: "story" as const,
      id,
      state,
    }));
    let rejected: ReturnType<typeof decideByCommand> | undefined;
    const lock = (tx: typeof db, id: string) =>
      tx.select().from(storySubmissions).where(eq(storySubmissions.id, id)).for("update");
    await db.transaction(async (tx) => {
      await lock(tx, first);
      rejected = decideByCommand({ db, clock: now, site }, stories, { action: "reject" });
      await expect.poll(() => countWaitingForLock(postgres)).toBe(1);
      await lock(tx, second);
    });
    expect((await rejected)?.decided).toHaveLength(2);
    await postgres.close();
  });

  it("of the desk are taken down when a command rejects them, and not deleted later", async () => {
    await send("one");
    await database.db.update(storySubmissions).set({ writtenBy: "desk", state: "approved" });
    const [{ id = "" } = {}] = await listSubmissions(database.db, "story", ["approved"]);
    const results: unknown[] = [];
    await runCommand([storiesCommand], ["stories", "reject", id], {
      ...bareHost,
      siteFolder: "sites/baltimore",
      result: (value) => results.push(value),
      database: async () => database.db,
    });
    expect(results).toEqual([{ id, state: "down" }]);
  });

  it("of the desk are approved without descriptions of images that readers do not see", async () => {
    await send("one", { images: [createImage("")] });
    await database.db
      .update(storySubmissions)
      .set({ writtenBy: "desk", state: "down", slug: "the-cat" });
    const lines: string[] = [];
    const approveOne = () =>
      runCommand([storiesCommand], ["stories", "approve", "the-cat"], {
        ...bareHost,
        siteFolder: "sites/baltimore",
        print: (line) => lines.push(line),
        database: async () => database.db,
      });
    expect(await approveOne()).toBe(0);
    await database.db.update(storySubmissions).set({ state: "waiting", writtenBy: "reader" });
    expect(await approveOne()).toBe(2);
    expect(lines.join("\n")).toContain("Image 1 needs a description.");
  });

  it("are published with the editor's changes when approved, and lose their sender's email address", async () => {
    await send("one");
    const [{ id = "" } = {}] = await listWaiting();
    const [first, second] = await readStoryImages(database.db, id);
    expect(Buffer.from(second?.bytes ?? []).equals(everyByte)).toBe(true);
    const findImage = (image = second) => findStoryImage(database.db, image?.id ?? "");
    expect(await findImage()).toBeNull();
    const purged: string[][] = [];
    const stop = await database.listen({
      onPurge: (tags) => purged.push(tags),
      onLost() {},
      onRestored() {},
    });
    // A file already uses this slug.
    expect(await approve(id, [{ id: second?.id ?? "", alt: "A grey cat" }], ["the-cat"])).toBe(
      "/news/the-cat-2",
    );
    await expect.poll(() => purged).toEqual([["stories"]]);
    await stop();
    expect(await findApprovedStory(database.db, "the-cat-2")).toMatchObject({
      slug: "the-cat-2",
      title: "The Cat",
      text,
      name: "Ann",
      category: "Community",
      day: "2026-11-15",
      publishedAt: now(),
      images: [{ file: `/pictures/${second?.id}.webp`, width: 4, height: 3, alt: "A grey cat" }],
    });
    expect(await findSubmissions(database.db, "story", id.slice(0, 8))).toMatchObject([
      { email: "" },
    ]);
    expect(new Uint8Array((await findImage()) ?? [])).toEqual(everyByte);
    expect(await findImage(first)).toBeNull();

    await send("two");
    const [{ id: other = "" } = {}] = await listWaiting();
    expect(await approve(other, [], ["the-cat"])).toBe("/news/the-cat-3");
    expect((await approvedStories.load(database.db)).map(({ slug }) => slug)).toEqual([
      "the-cat-3",
      "the-cat-2",
    ]);

    expect(await reject(now, [id])).toMatchObject(nobody);
    expect(await findApprovedStory(database.db, "the-cat-2")).toBeNull();
    expect(await findImage()).toBeNull();
    expect(await findSubmissions(database.db, "story", "the-cat-2")).toMatchObject([{ name: "" }]);
    expect(await approve(id, [])).toBe("/news/the-cat-2");
    const [remembered] = await database.db
      .select()
      .from(rememberedStories)
      .where(eq(rememberedStories.slug, "the-cat-2"));
    expect(remembered?.title).toBe("The Cat");
  });

  it("never get the path of a file of the newsroom, even if the file has a mistake", async () => {
    const folder = await temporaryFolder();
    for (const name of [siteSettingsFile.path, contactFile.path, sectionsFile.path, "art"])
      await cp(join("sites/baltimore", name), join(folder.path, name), { recursive: true });
    await send("one", { title: "The Cat" });
    const [{ id = "" } = {}] = await listWaiting();
    const lines: string[] = [];
    const runApprove = () =>
      runCommand([storiesCommand], ["stories", "approve", id], {
        ...bareHost,
        print: (line) => lines.push(line),
        siteFolder: folder.path,
        database: async () => database.db,
      });
    // A folder that cannot be read is not the same as one without stories.
    await symlink("news", join(folder.path, "news"));
    await expect(runApprove()).rejects.toThrow("ELOOP");
    await rm(join(folder.path, "news"));
    await mkdir(join(folder.path, "news"));
    await writeFile(join(folder.path, "news/the-cat.md"), "no settings");
    expect(await runApprove()).toBe(0);
    await folder.remove();
    expect(lines.join("\n")).toMatch(/^✓ Published: https:.*\/news\/the-cat-\d+$/m);
    // The command needs the ids and descriptions of images, but not their bytes.
    expect(await listStoryImages(database.db, id)).toEqual([
      { id: expect.any(String), alt: "a" },
      { id: expect.any(String), alt: "b" },
    ]);
  });

  it("are deleted with their images when their retention ends", async () => {
    await send("old", { clock: clockAt("2026-08-16T17:00:00Z") });
    await send("young");
    await send("rejected", { title: "No" });
    await send("shown", { title: "Shown", clock: clockAt("2020-01-01T00:00:00Z") });
    const [shown] = await listWaiting();
    await approve(shown?.id ?? "", []);
    const rejected = (await listWaiting()).find(({ title }) => title === "No");
    const missing = "4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11";
    await expect(reject(now, [rejected?.id ?? "", missing])).rejects.toThrow("Nothing was changed");
    expect(await listWaiting()).toHaveLength(3);
    await reject(clockAt("2026-10-15T17:00:00Z"), [rejected?.id ?? ""]);
    expect(await deleteOldStories(database.db, now)).toBe(2);
    expect(await listWaiting()).toHaveLength(1);
    expect(await findApprovedStory(database.db, "shown")).not.toBeNull();
    expect(await database.db.select({ id: storyImages.id }).from(storyImages)).toHaveLength(2);
  });

  it("cause at most thirty emails to the newsroom per hour, and the rest come together every ten minutes", async () => {
    const later = clockAt("2026-11-15T17:10:00Z");
    for (let count = 0; count < 54; count += 1)
      await send(`flood-${count}`, {
        images: [],
        title: `Story ${count}`,
        clock: count < 50 ? now : later,
      });
    const queued = await database.db.select().from(mails).orderBy(mails.dueAt);
    const many = queued.filter(({ subject }) => subject === "Many new submissions");
    expect(queued).toHaveLength(32);
    expect(many.map(({ dueAt }) => dueAt)).toEqual([
      new Date("2026-11-15T17:10:00Z"),
      new Date("2026-11-15T17:20:00Z"),
    ]);
    for (let count = 0; count < 54; count += 1)
      expect(queued.filter(({ text }) => text.includes(`"Story ${count}"`))).toHaveLength(1);
    // An email that was sent early does not lose what comes after it.
    await database.db.update(mails).set({ state: "sent", text: "" });
    await send("early", { images: [], title: "Early", clock: later });
    expect(await database.db.select().from(mails)).toHaveLength(33);
    await send("next", { images: [], clock: clockAt("2026-11-15T18:00:00Z") });
    const [last] = await database.db.select().from(mails).orderBy(desc(mails.createdAt));
    expect(last?.subject).toBe("A reader submitted a story");
  });

  it("cause an email to their senders, at most three per address and day: about approvals, and about rejections with a reason", async () => {
    const isDecision = like(mails.key, "decision:%");
    const readMails = () => database.db.select().from(mails).where(isDecision).orderBy(mails.text);
    const sendAndFind = async (title: string) => {
      await send(title, { images: [], title });
      return (await listWaiting()).find((story) => story.title === title)?.id ?? "";
    };
    expect(await reject(now, [await sendAndFind("No")])).toMatchObject(nobody);
    expect(await reject(now, [await sendAndFind("Pills")], " SPAM")).toMatchObject(nobody);
    const ids = [await sendAndFind("One"), await sendAndFind("Two")];
    const seen = await look(ids);
    const services = { db: database.db, clock: now, site };
    expect(await decideByCommand(services, seen, { action: "accept" })).toMatchObject({
      senders: { notified: 2, skipped: 0 },
    });
    // Another editor, who has seen the list before that, changes nothing.
    const refused = "somebody else has just decided";
    for (const action of ["reject", "accept"] as const)
      await expect(decideByCommand(services, seen, { action })).rejects.toThrow(refused);
    expect(await look(ids)).toMatchObject(ids.map((id) => ({ id, state: "approved" })));
    expect(await readMails()).toMatchObject(
      ["One", "Two"].map((title) => ({
        recipient: "ann@example.com",
        subject: "Your story for Harborline Baltimore",
        headers: { "Reply-To": "hello@baltimore.harborline.example" },
        text: expect.stringMatching(
          `"${title}".*:\n\n {2}https:\\S+/news/${title.toLowerCase()}\n\n`,
        ),
      })),
    );
    expect(await reject(now, [await sendAndFind("Third")], "Too long.")).toMatchObject({
      notified: 1,
      skipped: 0,
    });
    expect(await reject(now, [await sendAndFind("Again")], "Too long.")).toMatchObject({
      notified: 0,
      skipped: 1,
    });
    const tomorrow = clockAt("2026-11-16T17:00:00Z");
    const poem = await sendAndFind("Poem");
    expect(await reject(tomorrow, [poem], "Too long.")).toMatchObject({ notified: 1 });
    // The address is deleted with the first decision.
    expect(await reject(clockAt("2026-11-17T17:00:00Z"), [poem], "Still.")).toMatchObject(nobody);
    const ofPoem = eq(mails.key, `decision:${poem}`);
    expect(await database.db.select().from(mails).where(ofPoem)).toMatchObject([
      { text: expect.stringContaining("not to publish it:\n\n  Too long.\n") },
    ]);
  });
});
