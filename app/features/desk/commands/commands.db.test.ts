import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { and, desc, eq, like, lte } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { runCommand } from "../../../../server/newsroom/commands.ts";
import { runWithJson } from "../../../../server/newsroom/print-json.ts";
import { bareHost } from "../../../../tests/support/command-host.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { temporaryFolder } from "../../../../tests/support/server.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import { createLog } from "../../../lib/log.ts";
import { blogPosts } from "../../blog/schema.server.ts";
import { dailyBriefs } from "../../brief/schema.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { calendarEvents } from "../../events/import/schema.server.ts";
import { importedSource } from "../../events/import/store.server.ts";
import { storeEvent } from "../../events/receive-event.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { changeFileNote } from "../../file-notes/notes.server.ts";
import { fileNotes } from "../../file-notes/schema.server.ts";
import { hourCounts } from "../../forms/schema.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { findApprovedStory } from "../../stories/approved.server.ts";
import { newsFolder } from "../../stories/files.server.ts";
import { storeStory } from "../../stories/readers/submissions.server.ts";
import { rememberedStories, storyImages, storySubmissions } from "../../stories/schema.server.ts";
import { findItem } from "../kinds/kinds.server.ts";
import { listVersions } from "../kinds/versions.server.ts";
import { readLog } from "../log/log.server.ts";
import { seenField } from "../model.ts";
import { changeItem } from "../published/change-item.server.ts";
import { deskLog } from "../schema.server.ts";
import { decideChecked, decideOne } from "../waiting/forms.server.ts";
import { listRefs } from "../waiting/list.server.ts";
import { type SubmissionRef, toItemValue } from "../waiting/model.ts";
import { deskUndos } from "../waiting/schema.server.ts";
import { listUndos, restoreItems, undoDecision } from "../waiting/undo.server.ts";
import { readItem } from "../waiting/view.server.ts";
import { describeChangeOf } from "../write/draft-of-item.server.ts";
import { findDraft, openDraftFor, saveDraft } from "../write/drafts.server.ts";
import { deskDrafts } from "../write/schema.server.ts";
import { blogCommand } from "./blog-command.server.ts";
import { briefCommand } from "./brief-command.server.ts";
import { eventsCommand } from "./events-command.server.ts";
import { messagesCommand } from "./messages-command.server.ts";
import { storiesCommand } from "./stories-command.server.ts";

const recipients = { newsroom: "news@example.com", tips: "tips@example.com", desk: null };
const site = await readShippedSite();
const editor = { name: "Ana Reyes", email: "ana@example.com" };

describe("a decision", () => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T17:00:00Z");
  const clock = () => now;
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    for (const table of [
      storySubmissions,
      rememberedStories,
      eventSubmissions,
      contactMessages,
      mails,
      hourCounts,
      deskUndos,
      deskLog,
      deskDrafts,
    ])
      await database.db.delete(table);
    pass(60 * 24);
  });
  afterAll(() => database.close());

  const desk = () => ({ db: database.db, clock, site, editor });
  let onPrint = () => {};
  const run = async (...words: string[]) => {
    const lines: string[] = [];
    const results: unknown[] = [];
    const commands = [storiesCommand, eventsCommand, messagesCommand, blogCommand, briefCommand];
    const log = createLog({ write: () => true });
    const host: typeof bareHost = {
      ...bareHost,
      siteFolder: "sites/baltimore",
      clock,
      print(line) {
        lines.push(line);
        onPrint();
      },
      result: (value) => results.push(value),
      database: async () => database.db,
      services: async () => ({ ...desk(), log }) as never,
    };
    const code = await runWithJson(words, host, (typed, caller) =>
      runCommand(commands, typed, caller),
    );
    return { code, output: lines.join("\n"), results };
  };
  const decideAtDesk = async (act: "accept" | "reject", ref: SubmissionRef, reason = "") => {
    const form = new FormData();
    const fields = { act, item: toItemValue(ref), reason };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    expect(await decideChecked(desk(), form)).toEqual({ kind: "decided" });
    pass(1);
  };
  const findWaiting = async (kind: SubmissionRef["kind"]) => {
    const [ref] = await listRefs(desk(), { list: "waiting", kind, limit: 1 });
    if (!ref) throw new Error("It was not stored.");
    return ref;
  };
  const sendStory = async (alts: string[] = ["A cat on a rope"]) => {
    const images = alts.map((alt) => ({ width: 4, height: 3, alt, bytes: Buffer.from("image") }));
    const fields = { title: "The Cat", story: "It began.", name: "Ann", email: "ann@example.com" };
    await storeStory({ db: database.db, clock, recipients }, fields, images, "s", "n");
    return findWaiting("story");
  };
  const sendEvent = async () => {
    await storeEvent(
      { db: database.db, clock, recipients, timeZone: "America/New_York" },
      {
        title: "Lantern Walk",
        location: "Pier 5",
        day: "2027-02-20",
        starts: "17:30",
        ends: "",
        category: "Community",
        free: "on",
        description: "Bring a lantern.",
        url: "",
        name: "Lee",
        email: "lee@example.com",
        consent: "on",
      },
      "e",
      "n",
    );
    return findWaiting("event");
  };
  const sendMessage = async () => {
    await database.db.insert(contactMessages).values({
      category: "tip",
      name: "Bo",
      email: "bo@example.com",
      message: "Dark pier.",
      key: "m",
      visitorHash: "n",
      state: "waiting",
      createdAt: now,
    });
    return findWaiting("message");
  };
  const readMails = async () => {
    const sent = await database.db.select().from(mails).where(like(mails.key, "decision:%"));
    return sent.map(({ recipient, text }) =>
      [recipient, text.includes("It is now on") ? "published" : "rejected"].join(" "),
    );
  };

  it.each(["stories", "events"] as const)(
    "by command that was made before changes nothing and is not in the log: %s",
    async (command) => {
      const ref = await (command === "stories" ? sendStory() : sendEvent());
      await decideAtDesk("reject", ref, "Please add a date.");
      const readAll = async () => ({
        log: await database.db.select().from(deskLog),
        mails: await readMails(),
        undos: await database.db.$count(deskUndos),
      });
      const rejected = await readAll();
      expect(await run(command, "reject", ref.id)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/"(The Cat|Lantern Walk)" is already rejected\.$/),
      });
      expect(await readAll()).toEqual(rejected);
      await run(command, "approve", ref.id);
      const approved = await readAll();
      pass(1);
      expect(await run(command, "approve", ref.id)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/Already published: \S+$/),
      });
      expect(await readAll()).toEqual(approved);
      await database.db
        .update(command === "stories" ? storySubmissions : eventSubmissions)
        .set({ email: "" });
      const { output } = await run(command, "reject", ref.id, "--reason", "Please add a date.");
      expect(output).toMatch(/Nobody gets an email, because we have no email address\.$/);
    },
  );

  it.each(["stories", "events"] as const)(
    "by command to reject what the desk has taken down changes nothing: %s",
    async (command) => {
      const ref = await (command === "stories" ? sendStory() : sendEvent());
      await database.db
        .update(command === "stories" ? storySubmissions : eventSubmissions)
        .set({ writtenBy: "desk", state: "down" });
      expect(await run(command, "reject", ref.id)).toMatchObject({
        output: expect.stringContaining("is already taken down."),
      });
      expect(await database.db.$count(deskLog)).toBe(0);
    },
  );

  it.each(["stories", "events"] as const)(
    "by command to reject removes the date of the item's draft, so that nobody publishes it again: %s",
    async (command) => {
      const ref = await (command === "stories" ? sendStory() : sendEvent());
      const { kind, id } = ref;
      if (kind === "message") throw new Error("A message has no draft.");
      await decideAtDesk("accept", ref);
      const draft = (await openDraftFor(desk(), kind, id)) ?? "";
      await database.db.update(deskDrafts).set({ publishAt: now });
      const [before] = await database.db.select().from(deskDrafts);
      expect(await run(command, "reject", id)).toMatchObject({
        code: 0,
        output: expect.stringMatching(
          /The draft "(The Cat|Lantern Walk)" was scheduled, and has no date now\./,
        ),
      });
      const isDraft = eq(deskDrafts.id, draft);
      expect(await database.db.select().from(deskDrafts).where(isDraft)).toMatchObject([
        { publishAt: null, revision: (before?.revision ?? 0) + 1 },
      ]);
    },
  );

  it("at the desk that is undone removes the date of a draft that was made meanwhile", async () => {
    const ref = await sendEvent();
    await decideAtDesk("accept", ref);
    await openDraftFor(desk(), "event", ref.id);
    await database.db.update(deskDrafts).set({ publishAt: now });
    const [undo] = await listUndos(database.db, clock, editor);
    expect(await undoDecision(desk(), undo?.id ?? "")).toMatchObject({ kind: "undone" });
    const [draft] = await database.db.select().from(deskDrafts);
    expect(draft).toMatchObject({ publishAt: null });
    expect(draft && (await describeChangeOf(database.db, draft))).toBe(
      "Ana Reyes undid a decision about this event.",
    );
  });

  it("by command replaces one at the desk that can still be undone: the sender gets one email, about the last one", async () => {
    const reason = "Please send it again with a date.";
    const story = await sendStory();
    await decideAtDesk("reject", story, reason);
    expect(await readMails()).toEqual(["ann@example.com rejected"]);
    const approved = await run("stories", "approve", story.id);
    expect(approved.output).toMatch(/^✓ Published: \S+\/the-cat\nThe sender gets an email\.$/);
    expect(await readMails()).toEqual(["ann@example.com published"]);
    expect(await findApprovedStory(database.db, "the-cat")).toMatchObject({ name: "Ann" });

    const event = await sendEvent();
    await decideAtDesk("accept", event);
    await run("events", "reject", event.id, "--reason", reason);
    expect(await readMails()).toEqual(["ann@example.com published", "lee@example.com rejected"]);
    // The editor of the desk can no longer undo what the commands have replaced.
    for (const undo of await listUndos(database.db, clock, editor))
      expect(await undoDecision(desk(), undo.id)).toMatchObject({ kind: "late" });
    expect(await readMails()).toHaveLength(2);
  });

  it.each(["stories", "events"] as const)(
    "by command to reject is undone like one of the desk when somebody restores the item within ten minutes: %s",
    async (command) => {
      const ref = await (command === "stories" ? sendStory() : sendEvent());
      const table = command === "stories" ? storySubmissions : eventSubmissions;
      const readSender = async () => {
        const [row] = await database.db.select().from(table);
        return [row?.state, row?.name, row?.email];
      };
      const sender = await readSender();
      await run(command, "reject", ref.id, "--reason", "Please add a date.");
      expect(await readSender()).toEqual(["rejected", "", ""]);
      const isDue = lte(mails.dueAt, new Date(now.getTime() + 9 * 60_000));
      expect(await database.db.$count(mails, and(like(mails.key, "decision:%"), isDue))).toBe(0);
      pass(9);
      expect(await restoreItems(desk(), [ref])).toBe(1);
      expect(await readSender()).toEqual(sender);
      expect(await readMails()).toEqual([]);
      await run(command, "reject", ref.id);
      pass(11);
      expect(await restoreItems(desk(), [ref])).toBe(1);
      expect(await readSender()).toEqual(["waiting", "", ""]);
    },
  );

  it("at the desk is not announced to the sender if the item is taken down or made a draft within ten minutes", async () => {
    for (const [ref, action] of [
      [await sendStory(), "down"],
      [await sendEvent(), "draft"],
    ] as const) {
      await decideAtDesk("accept", ref);
      expect(await readMails()).toHaveLength(1);
      const id = ref.kind === "story" ? "the-cat" : ref.id;
      const item = await findItem(desk(), { kind: ref.kind, id });
      if (!item) throw new Error("It was not published.");
      expect(await changeItem(desk(), item, { action })).toMatchObject({ kind: "done" });
      expect(await readMails()).toEqual([]);
    }
  });

  it("about a story needs a category of the city and descriptions that are not too long", async () => {
    const { id } = await sendStory();
    const approve = (...options: string[]) => run("stories", "approve", id, ...options);
    expect(await approve("--category", "Fod")).toMatchObject({
      code: 2,
      output: expect.stringMatching(/Choose one of these categories: Local News, Neighborhoods, /),
    });
    expect(await approve("--alt", `1=${"x".repeat(301)}`)).toMatchObject({
      code: 2,
      output: expect.stringContaining(
        "The description of image 1 can have at most 300 characters.",
      ),
    });
    expect(await approve("--category", "neighborhoods")).toMatchObject({ code: 0 });
    expect(await findApprovedStory(database.db, "the-cat")).toMatchObject({
      category: "Neighborhoods",
    });
    // As in the files of stories, the section at /local is also "Local".
    expect(await approve("--category", "Local")).toMatchObject({ code: 0 });
    expect(await findApprovedStory(database.db, "the-cat")).toMatchObject({
      category: "Local News",
    });
  });

  it("leaves out the apostrophes of a title in the path", async () => {
    const { id } = await sendStory();
    const { output } = await run("stories", "approve", id, "--title", "Ana’s and Bo's Cat");
    expect(output).toMatch(/^✓ Published: \S+\/news\/anas-and-bos-cat$/m);
  });

  it("about all that wait says in JSON too why nothing was changed", async () => {
    await sendStory();
    const { code, output } = await run("stories", "reject", "--all", "--json");
    expect(code).toBe(2);
    expect(output).toContain("In a script, add --yes.");
  });

  it("is made from a list that contains nothing that identifies a visitor", async () => {
    await sendEvent();
    await database.db.update(eventSubmissions).set({ visitorHash: "0123abcd" });
    const { results } = await run("events", "list");
    expect(results).toMatchObject([[{ title: "Lantern Walk" }]]);
    expect(JSON.stringify(results)).not.toContain("0123abcd");
  });

  it("to remove imported events says which of them somebody else has just removed", async () => {
    const times = { startsAt: now, endsAt: now, firstSeenAt: now, seenAt: now };
    const rest = { description: "", location: "", url: "", allDay: false, cancelled: false };
    const ids = ["book-sale", "cake-sale"];
    const rows = ids.map((id) => ({ id, series: id, title: id, ...times, ...rest }));
    await database.db
      .insert(calendarEvents)
      .values(rows.map((row) => ({ ...row, source: importedSource })));
    onTestFinished(() => {
      onPrint = () => {};
    });
    // The event that the command has not come to yet.
    onPrint = () => void database.db.delete(calendarEvents).execute();
    const { output } = await run("events", "reject", ...ids);
    expect(output).toMatch(
      /^✓ Removed "(\w+)-sale" from the site\.\n"(?!\1)\w+-sale" is already removed\.$/,
    );
    expect(await readLog(database.db, { count: 9 })).toHaveLength(1);
  });

  it("about a file is refused with its place", async () => {
    const [file = ""] = site.names(newsFolder);
    for (const verb of ["approve", "reject"])
      expect(await run("stories", verb, file)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`"${file}" is the file sites/baltimore/news/${file}.md.`),
      });
  });

  it("names a file that is taken down when its preview is asked for", async () => {
    const [file] = site.readAll(newsFolder).filter(({ front }) => !front.draft);
    await changeFileNote(database.db, "story", file?.id ?? "", { isDown: true });
    const { output } = await run("stories", "preview", file?.id ?? "");
    expect(output).toContain("is taken down, so readers do not see it.");
    expect(output).not.toContain("everyone");
    await database.db.delete(fileNotes);
  });

  it("by command about a published story is an update with a version, if it changes the texts", async () => {
    const { id } = await sendStory();
    const readStory = () => findApprovedStory(database.db, "the-cat");
    const readVersions = async () =>
      (await listVersions(database.db, { kind: "story", rowId: id })).map(({ action }) => action);
    await run("stories", "approve", id);
    const publishedAt = now;
    pass(120);
    await run("stories", "approve", id, "--alt", "1=A grey cat");
    expect(await readStory()).toMatchObject({ updatedAt: null, images: [{ alt: "A grey cat" }] });
    expect(await readVersions()).toEqual([]);
    expect(await run("stories", "approve", id, "--title", "The Grey Cat")).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^✓ Published: \S+\/the-cat$/),
    });
    expect(await readStory()).toMatchObject({
      title: "The Grey Cat",
      name: "Ann",
      publishedAt,
      updatedAt: now,
    });
    expect(await readVersions()).toEqual(["updated", "published"]);
    // The versions have the reader's name, which is deleted with the rejection.
    await run("stories", "reject", id);
    expect(await readVersions()).toEqual([]);
  });

  it("by command to change a story also changes its draft, whose editor is asked before anything is overwritten", async () => {
    const ref = await sendStory();
    await decideAtDesk("accept", ref);
    const id = (await openDraftFor(desk(), "story", ref.id)) ?? "";
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("There is no draft.");
    const { revision } = draft;
    const fields = { ...draft.fields, text: "It began. It ended." };
    expect(await saveDraft(desk(), { id, revision, fields })).toMatchObject({ kind: "saved" });
    await database.db.update(deskDrafts).set({ publishAt: now });
    pass(1);
    await run("stories", "approve", ref.id, "--title", "The Grey Cat");
    const saved = await saveDraft(desk(), { id, revision: revision + 1, fields: draft.fields });
    if (saved.kind !== "conflict") throw new Error("The title was overwritten.");
    expect(saved.draft).toMatchObject({
      publishAt: null,
      fields: { title: "The Grey Cat", text: "It began. It ended." },
    });
    expect(await describeChangeOf(database.db, saved.draft)).toBe(
      "A newsroom command approved this story.",
    );
  });

  it("by command to change a published event is a version, and changes its draft like the event", async () => {
    const ref = await sendEvent();
    await decideAtDesk("accept", ref);
    const id = (await openDraftFor(desk(), "event", ref.id)) ?? "";
    pass(1);
    await run("events", "edit", ref.id, "--starts", "19:30", "--location", "Pier 6");
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("There is no draft.");
    expect(draft.fields).toMatchObject({ starts: "19:30", location: "Pier 6" });
    expect(await describeChangeOf(database.db, draft)).toBe(
      "A newsroom command edited this event.",
    );
    const versions = await listVersions(database.db, { kind: "event", rowId: ref.id });
    expect(versions).toMatchObject([
      { action: "edited", fields: { starts: "19:30", location: "Pier 6", free: true } },
      { action: "published", fields: { starts: "17:30", location: "Pier 5" } },
    ]);
    expect(versions[0]?.fields).not.toHaveProperty("consent");
  });

  it("by command to hide a post removes the date of its draft, whose editor is asked before it is published again", async () => {
    await database.db.insert(blogPosts).values({
      slug: "boats",
      domain: "example.com",
      metaTitle: "Boats",
      metaDescription: "",
      blog: "Boats.",
      date: "2026-11-01",
      publishAt: now,
      createdAt: now,
      state: "published",
    });
    const [post] = await database.db.select().from(blogPosts).where(eq(blogPosts.slug, "boats"));
    const id = (await openDraftFor(desk(), "post", String(post?.id))) ?? "";
    const before = await findDraft(database.db, id);
    await database.db.update(deskDrafts).set({ publishAt: now });
    await run("blog", "unpublish", "boats");
    expect(await findDraft(database.db, id)).toMatchObject({
      publishAt: null,
      revision: (before?.revision ?? 0) + 1,
    });
    await database.db.delete(blogPosts);
  });

  it("of an editor is refused once if a command has edited the event since the page was loaded", async () => {
    const ref = await sendEvent();
    const view = await readItem(desk(), ref);
    const form = new FormData();
    for (const [name, value] of Object.entries(view?.event?.values ?? {})) form.set(name, value);
    form.set(seenField, view?.event?.seen ?? "");
    form.set("act", "accept");
    await run("events", "edit", ref.id, "--location", "Pier 6");
    form.set("location", "Pier 7");
    const refused = await decideOne(desk(), ref, form);
    expect(refused).toMatchObject({
      kind: "refused",
      errors: { location: "Now it says: Pier 6" },
      typed: { location: "Pier 7" },
    });
    if (refused.kind !== "refused") return;
    form.set(seenField, refused.typed[seenField] ?? "");
    expect(await decideOne(desk(), ref, form)).toEqual({ kind: "decided" });
    expect(await readItem(desk(), ref)).toMatchObject({
      event: { values: { location: "Pier 7" } },
    });
  });

  it("by command is in the log of the desk, which then names no other editor", async () => {
    const [story, event, message] = [await sendStory(), await sendEvent(), await sendMessage()];
    await decideAtDesk("reject", story, "Too short.");
    await run("stories", "approve", story.id);
    await run("events", "reject", event.id, "--reason", "Please add a date.");
    await run("messages", "done", message.id);
    const readDecision = async (ref: SubmissionRef) => (await readItem(desk(), ref))?.decision;
    expect(await readDecision(story)).toMatch(/^A newsroom command approved it on /);
    expect(await readDecision(event)).toMatch(
      /^A newsroom command rejected it on .*: “Please add a date”$/,
    );
    expect(await readDecision(message)).toMatch(/^A newsroom command marked it as done on /);
  });

  it("is in the log like the changes that other commands make", async () => {
    const event = await sendEvent();
    await run("events", "edit", event.id, "--title", "Lantern Parade");
    await database.db.insert(blogPosts).values({
      slug: "ferries",
      domain: "example.com",
      metaTitle: "Ferries",
      metaDescription: "",
      blog: "Boats.",
      date: "2026-11-01",
      publishAt: now,
      createdAt: now,
      state: "draft",
    });
    pass(1);
    await run("blog", "publish", "ferries");
    pass(1);
    await run("blog", "unpublish", "ferries");
    pass(1);
    await run("blog", "publish", "ferries", "--at", "2030-12-01");
    const log = await readLog(database.db, { count: 10 });
    expect(log.map(({ action, kind, title }) => `${action} ${kind}: ${title}`)).toEqual([
      "scheduled post: Ferries",
      "unpublished post: Ferries",
      "published post: Ferries",
      expect.stringMatching(/^edited event: received /),
    ]);
    expect(new Set(log.map(({ editorName }) => editorName))).toEqual(
      new Set(["A newsroom command"]),
    );
  });

  it("by command to hide a post that is hidden changes nothing, unless its draft has a date", async () => {
    const [post] = await database.db
      .insert(blogPosts)
      .values({
        slug: "gulls",
        domain: "example.com",
        metaTitle: "Gulls",
        metaDescription: "",
        blog: "Gulls.",
        date: "2026-11-01",
        publishAt: now,
        createdAt: now,
        state: "published",
      })
      .returning({ id: blogPosts.id });
    await openDraftFor(desk(), "post", String(post?.id));
    const hide = async () => (await run("blog", "unpublish", "gulls")).output;
    const count = () => database.db.$count(deskLog, eq(deskLog.action, "unpublished"));
    expect(await hide()).toBe('✓ "Gulls" is hidden from readers.');
    expect(await hide()).toBe('"Gulls" is already hidden from readers.');
    expect(await count()).toBe(1);
    await database.db.update(deskDrafts).set({ publishAt: now });
    expect(await hide()).toBe('✓ "Gulls" is hidden from readers.');
    expect(await database.db.select().from(deskDrafts)).toMatchObject([{ publishAt: null }]);
    expect(await count()).toBe(2);
    await database.db.delete(blogPosts);
  });

  it("is in the log like an import, and like what commands remove or make again", async () => {
    const headline = {
      title: "A ferry sinks",
      link: "https://paper.example/ferry",
      source: "The Paper",
      summary: "",
      time: { iso: now.toISOString(), shown: "noon" },
      paywall: false,
    };
    const content = {
      headlines: [headline],
      goodToKnow: [],
      areEventsToday: false,
      events: [],
      meetings: [],
      stories: [],
      fact: null,
      removedLinks: [],
      isRemoved: false,
    };
    const yesterday = { day: "2026-11-01", content, hasNews: true, createdAt: now, updatedAt: now };
    await database.db.insert(dailyBriefs).values(yesterday);
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const [posts, season] = [join(folder.path, "posts.json"), join(folder.path, "season.ics")];
    const post = { metaTitle: "Boats", metaDescription: "D", date: "2026-11-14", blog: "Boats." };
    await writeFile(posts, JSON.stringify(["a-boat", "b-boat"].map((slug) => ({ ...post, slug }))));
    const start = now.toISOString().slice(0, 10).replaceAll("-", "");
    await writeFile(
      season,
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x\nSUMMARY:Tuba Sunday\nDTSTART:${start}T230000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nEND:VEVENT\nEND:VCALENDAR\n`,
    );
    const runAll = async (...typed: string[][]) => {
      for (const words of typed) {
        expect(await run(...words), words.join(" ")).toMatchObject({ code: 0 });
        pass(1);
      }
    };
    await runAll(["blog", "import", posts], ["events", "import", season]);
    const [event] = await database.db.select().from(calendarEvents);
    await runAll(
      ["events", "reject", event?.id ?? ""],
      ["brief", "remove", yesterday.day, "--headline", "1"],
      ["brief", "remove", yesterday.day],
      ["brief", "make"],
      ["brief", "make", "--again"],
    );
    const [today] = await database.db.select().from(dailyBriefs).orderBy(desc(dailyBriefs.day));
    const log = await readLog(database.db, { count: 20 });
    expect(
      log.map(({ action, kind, title, note }) => [action, kind, title, note].join("|")).reverse(),
    ).toEqual([
      "imported||2 posts|posts.json",
      "imported||3 events|season.ics",
      "removed|event|Tuba Sunday|",
      `removed|headline|A ferry sinks|from the brief of ${yesterday.day}`,
      `removed|brief|${yesterday.day}|`,
      `published|brief|${today?.day}|`,
      `published again|brief|${today?.day}|`,
    ]);
    for (const table of [blogPosts, calendarEvents, dailyBriefs]) await database.db.delete(table);
  });

  it("by command publishes a story of the desk again, with any number of images", async () => {
    const { id } = await sendStory(Array(12).fill("A cat"));
    await database.db
      .update(storySubmissions)
      .set({ writtenBy: "desk", state: "down", slug: "the-cat" });
    const to = await temporaryFolder();
    onTestFinished(to.remove);
    const { output } = await run("stories", "show", "the-cat", "--to", to.path);
    expect(output).toMatch(/ {2}Edit it at \/desk\/published\/story\/the-cat\.$/);
    expect(await run("stories", "approve", "the-cat")).toMatchObject({ code: 0 });
    expect(await findApprovedStory(database.db, "the-cat")).not.toBeNull();
    const isOfStory = eq(storyImages.storyId, id);
    expect(await database.db.$count(storyImages, isOfStory)).toBe(12);
  });
});
