import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { createSiteContent } from "../../../../server/site/site-values.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import type { SiteFile } from "../../../site-files/site-file.server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { contactPageFile } from "../../contact/files.server.ts";
import type { Topic } from "../../contact/model.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { changeEventState } from "../../events/desk-events.server.ts";
import { eventsFile } from "../../events/files.server.ts";
import { calendarEvents } from "../../events/import/schema.server.ts";
import { meetingsFile } from "../../events/meetings/files.server.ts";
import { writeOwnMeeting } from "../../events/meetings/own-meetings.server.ts";
import { storeEvent } from "../../events/receive-event.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { sectionsFile } from "../../feeds/files.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { findApprovedStory, findStoryImage } from "../../stories/approved.server.ts";
import { storeStory } from "../../stories/readers/submissions.server.ts";
import { rememberedStories, storyImages, storySubmissions } from "../../stories/schema.server.ts";
import { findDeskPath } from "../log/desk-paths.server.ts";
import { readLog } from "../log/log.server.ts";
import { deskLog } from "../schema.server.ts";
import { deleteVisitorHashes } from "./checks.server.ts";
import { decideAll, decideChecked, decideOne } from "./forms.server.ts";
import { listRefs } from "./list.server.ts";
import {
  descriptionField,
  type SubmissionKind,
  type SubmissionRef,
  showField,
  toItemValue,
} from "./model.ts";
import { deskAnswers, deskUndoImages, deskUndos } from "./schema.server.ts";
import { deleteOldUndos, listUndos, restoreItems, undoDecision } from "./undo.server.ts";
import { readItem, readList } from "./view.server.ts";

const recipients = { newsroom: "news@example.com", tips: "tips@example.com", desk: null };

const files: SiteFile<unknown>[] = [
  siteSettingsFile,
  contactFile,
  contactPageFile,
  eventsFile,
  meetingsFile,
  sectionsFile,
];
const site = createSiteContent(
  new Map(
    files.map((file) => {
      const parsed = file.parse(readFileSync(`sites/baltimore/${file.path}`, "utf8"));
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      return [file.path, parsed.value];
    }),
  ),
);
const ana = { name: "Ana Reyes", email: "ana@example.com" };
const ben = { name: "Ben Okafor", email: "ben@example.com" };

describe.each(databaseKinds)("what waits at the desk, in %s", (databaseKind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T17:00:00Z");
  const clock = () => now;
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  beforeAll(async () => {
    database = await openTestDatabase(databaseKind);
  });
  beforeEach(async () => {
    for (const table of [
      storySubmissions,
      rememberedStories,
      eventSubmissions,
      contactMessages,
      calendarEvents,
      mails,
      deskUndos,
      deskLog,
    ])
      await database.db.delete(table);
    pass(60 * 24);
  });
  afterAll(() => database.close());

  const services = (editor = ana) => ({ db: database.db, clock, site, editor });
  const toForm = (fields: [string, string][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return form;
  };
  const listWaiting = (kind: SubmissionKind | null = null) =>
    listRefs(services(), { list: "waiting", kind, limit: 1_000 });
  const listBin = () => listRefs(services(), { list: "bin", kind: null, limit: 1_000 });
  const decide = async (act: string, editor = ana) => {
    const items = (await listWaiting()).map((ref): [string, string] => ["item", toItemValue(ref)]);
    return decideChecked(services(editor), toForm([["act", act], ...items]));
  };
  const undoLast = async (editor = ana) =>
    undoDecision(services(editor), (await listUndos(database.db, clock, editor))[0]?.id ?? "");
  const listMails = () => database.db.select().from(mails);
  const readActions = async () =>
    (await readLog(database.db, { count: 10 })).map(
      ({ editorName, action, kind, title }) => `${editorName} ${action} ${kind} ${title}`,
    );

  const sendStory = async () => {
    const images = ["A cat on a rope", ""].map((alt, index) => ({
      width: 4,
      height: 3,
      alt,
      bytes: Buffer.from(`image ${index}`),
    }));
    const fields = { title: "The Cat", story: "It began.", name: "Ann", email: "ann@example.com" };
    await storeStory({ db: database.db, clock, recipients }, fields, images, "s", "n1");
    await database.db.delete(mails);
    const [ref] = await listWaiting("story");
    if (!ref) throw new Error("The story was not stored.");
    return ref;
  };
  const sendEvent = async (title = "Lantern Walk") => {
    await storeEvent(
      { db: database.db, clock, recipients, timeZone: "America/New_York" },
      {
        title,
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
      title,
      "n1",
    );
    await database.db.delete(mails);
    const [ref] = await listWaiting("event");
    if (!ref) throw new Error("The event was not stored.");
    return ref;
  };
  const sendMessages = async (
    count: number,
    message = "Dark pier.",
    topic: Topic | null = null,
  ) => {
    const fields = { category: "tip", name: "Bo", email: "bo@example.com", message };
    await database.db.insert(contactMessages).values(
      Array.from({ length: count }, () => ({
        ...fields,
        topic,
        key: crypto.randomUUID(),
        visitorHash: "n2",
        state: "waiting" as const,
        createdAt: now,
      })),
    );
  };

  it("is where the log leads, until it is published", async () => {
    const story = await sendStory();
    const event = await sendEvent();
    const find = async () => {
      // An entry about an undo does not say its kind.
      const subjects = [
        { kind: "story", id: story.id },
        { kind: "", id: event.id },
        { kind: "message", id: crypto.randomUUID() },
        { kind: "post", id: "12" },
      ];
      const paths: Record<string, string> = {};
      for (const subject of subjects) {
        const path = await findDeskPath(services(), subject);
        if (path !== null) paths[subject.id] = path;
      }
      return paths;
    };
    expect(await find()).toEqual({
      [story.id]: `/desk/waiting/story/${story.id}`,
      [event.id]: `/desk/waiting/event/${event.id}`,
    });
    await database.db.update(storySubmissions).set({ slug: "the-cat", state: "approved" });
    await database.db.update(eventSubmissions).set({ state: "down" });
    expect(await find()).toEqual({
      [story.id]: "/desk/published/story/the-cat",
      [event.id]: `/desk/published/event/${event.id}`,
    });
  });

  it("is listed with what the checks think of it: repeated texts, links, networks, images", async () => {
    await sendMessages(4, "BUY THIS: https://a.example https://b.example https://c.example");
    pass(1);
    const story = await sendStory();
    const list = await readList(services(), { list: "waiting", kind: null, page: 9 });
    expect(list).toMatchObject({
      counts: [{ count: 1 }, { count: 0 }, { count: 4 }],
      page: 1,
      total: 5,
    });
    expect(list.rows.map(({ kind, remarks }) => [kind, remarks.map(({ label }) => label)])).toEqual(
      [
        ["story", ["No image description"]],
        ...Array(4).fill(["message", ["Sent 4 times", "3 others from its network", "3 links"]]),
      ],
    );
    expect(list.rows.slice(0, 2)).toMatchObject([
      { category: "", isSuspicious: false },
      { category: "News tip", isSuspicious: true },
    ]);
    // Another event with the same few words as its description is not a repetition.
    await sendEvent("Jazz on the Pier");
    await database.db.update(eventSubmissions).set({ createdAt: new Date(0), visitorHash: "n3" });
    const event = await sendEvent();
    expect((await readItem(services(), event))?.remarks).toEqual([]);
    const readNote = async () => (await readItem(services(), event))?.networkNote;
    expect(await readNote()).toBe("1 other came from its network on that day.");
    const [first] = await listWaiting("message");
    expect(first && (await readItem(services(), first))).toMatchObject({ networkNote: "" });
    expect(await readItem(services(), story)).toMatchObject({ text: "It began.", hasEmail: true });
    expect(await readItem(services(), { kind: "message", id: "x" })).toBeNull();
  });

  it("is shown with the page that a message is about, which no text can imitate", async () => {
    const text = "About: Not a page\nhttps://x.example\n\nThe year is wrong.";
    const topic = { title: "Arabbers", url: "https://city.example/news/arabbers" };
    await sendMessages(1, text);
    await sendMessages(1, text, topic);
    const items = await Promise.all(
      (await listWaiting("message")).map((ref) => readItem(services(), ref)),
    );
    expect(items.map((item) => [item?.text, item?.facts, item?.remarks.length])).toEqual(
      expect.arrayContaining([
        [text, [], 1],
        [
          text,
          [
            { label: "About", value: topic.title },
            { label: "Link", value: topic.url },
          ],
          1,
        ],
      ]),
    );
    expect(items.map((item) => item?.heading).sort()).toEqual([
      "Bo wrote: Arabbers",
      "Bo wrote: News tip",
    ]);
    const { rows } = await readList(services(), { list: "waiting", kind: "message", page: 1 });
    expect(rows.map(({ title }) => title).sort()).toEqual([
      "About: Not a page https://x.example The year is wrong.",
      "About: Not a page https://x.example The year is wrong. (about Arabbers)",
    ]);
  });

  it("is gone in two steps, also if there are 500 messages, and comes back with one", async () => {
    await sendMessages(500);
    const until = now.toISOString();
    pass(1);
    await sendMessages(1, "I came later.");
    const form = toForm([
      ["act", "reject"],
      ["kind", "message"],
      ["until", until],
    ]);
    expect(await decideAll(services(), form)).toEqual({ kind: "decided" });
    expect(await listWaiting()).toHaveLength(1);
    expect(await listBin()).toHaveLength(500);
    expect(await listUndos(database.db, clock, ana)).toMatchObject([
      { summary: "Rejected 500 messages" },
    ]);
    expect(await undoLast(ben)).toMatchObject({ kind: "late" });
    pass(1);
    expect(await undoLast()).toMatchObject({ kind: "undone" });
    expect(await listWaiting()).toHaveLength(501);
    expect(await readActions()).toEqual([
      "Ana Reyes undid a decision about  500 messages",
      "Ana Reyes rejected  500 messages",
    ]);
  });

  it("is published with an editor's changes, and after an undo it is as the reader sent it, with these in the fields", async () => {
    const ref = await sendStory();
    const before = await readItem(services(), ref);
    const [first = "", second = ""] = before?.images.map(({ id }) => id) ?? [];
    const texts = { caption: "A rope", credit: "Ann" };
    await database.db.update(storyImages).set(texts);
    const approve = (title: string, alt = "A grey cat") =>
      decideOne(
        services(),
        ref,
        toForm([
          ["act", "accept"],
          ["title", title],
          ["text", "It began with a cat."],
          ["category", "Neighborhoods"],
          [showField(second), "on"],
          [descriptionField(first), "not shown"],
          [descriptionField(second), alt],
        ]),
      );
    expect(await approve("The Cat", "x".repeat(301))).toMatchObject({
      kind: "refused",
      errors: {
        [descriptionField(second)]: "The description of image 2 can have at most 300 characters.",
      },
    });
    expect(await approve(" ")).toMatchObject({
      kind: "refused",
      typed: { category: "Neighborhoods" },
    });
    expect(await approve("The Cat", " ")).toMatchObject({
      kind: "refused",
      errors: { [descriptionField(second)]: "Image 2 needs a description." },
    });
    expect(await approve("The Cat of Pier 5")).toEqual({ kind: "decided" });
    expect(await findApprovedStory(database.db, "the-cat-of-pier-5")).toMatchObject({
      text: "It began with a cat.",
      category: "Neighborhoods",
      images: [{ alt: "A grey cat" }],
    });
    expect(await listMails()).toMatchObject([
      { recipient: "ann@example.com", dueAt: new Date(now.getTime() + 10 * 60_000) },
    ]);
    pass(9);
    // The undo must keep what another editor has pinned since.
    await database.db.update(storySubmissions).set({ isPinned: true });
    expect(await undoLast()).toMatchObject({ kind: "undone", item: ref });
    expect(await readItem(services(), ref)).toEqual({
      ...before,
      typed: expect.objectContaining({
        title: "The Cat of Pier 5",
        text: "It began with a cat.",
        [descriptionField(second)]: "A grey cat",
      }),
    });
    expect(await database.db.select().from(storySubmissions)).toMatchObject([{ isPinned: true }]);
    expect(await database.db.select().from(storyImages)).toMatchObject([texts, texts]);
    expect(await findApprovedStory(database.db, "the-cat-of-pier-5")).toBeNull();
    expect(await findStoryImage(database.db, second)).toBeNull();
    expect(await database.db.$count(rememberedStories)).toBe(0);
    expect(await listMails()).toEqual([]);
    expect(await readActions()).toContain("Ana Reyes approved story “The Cat of Pier 5”");
  });

  it("keeps names and email addresses for ten minutes after a decision, and not longer", async () => {
    const [story, event] = [await sendStory(), await sendEvent()];
    const reason = "Please send it again with a date.";
    for (const ref of [story, event]) {
      pass(1);
      const form = toForm([
        ["act", "reject"],
        ["reason", reason],
      ]);
      expect(await decideOne(services(), ref, form)).toEqual({ kind: "decided" });
    }
    expect(await listMails()).toHaveLength(2);
    expect(JSON.stringify(await database.db.select().from(storySubmissions))).not.toContain("Ann");
    expect(await undoLast()).toMatchObject({ kind: "undone" });
    expect(await readItem(services(), event)).toMatchObject({ sender: "Lee, lee@example.com" });
    pass(10);
    expect(await undoLast()).toMatchObject({ kind: "late" });
    expect(await deleteOldUndos(database.db, clock)).toBe(1);
    expect(await database.db.$count(deskUndos)).toBe(0);
    expect(await database.db.$count(deskUndoImages)).toBe(0);
    expect(await listBin()).toEqual([story]);
    expect(await restoreItems(services(ben), await listBin())).toBe(1);
    expect(await listWaiting("story")).toEqual([story]);
    expect(await readActions()).toContain("Ben Okafor restored  1 story");
    // What readers sent is deleted earlier than the log, so the log does not contain it.
    expect((await readActions()).join()).not.toContain("The Cat");
  });

  it("is decided once: the second editor learns who was first, and changes nothing", async () => {
    const ref = await sendStory();
    const item = toForm([
      ["act", "reject"],
      ["item", toItemValue(ref)],
    ]);
    expect(await decideChecked(services(ana), item)).toEqual({ kind: "decided" });
    pass(1);
    expect(await decideChecked(services(ben), item)).toMatchObject({
      kind: "refused",
      summary: "Somebody was faster: 1 story did not wait any longer.",
    });
    await sendMessages(1);
    item.append("item", toItemValue((await listWaiting())[0] ?? ref));
    expect(await decideChecked(services(ben), item)).toEqual({ kind: "decided" });
    expect(await listUndos(database.db, clock, ben)).toMatchObject([
      {
        summary: "Rejected 1 message",
        note: "Somebody was faster: 1 story did not wait any longer.",
      },
    ]);
    // The first decision can no longer be undone where somebody has decided again.
    await restoreItems(services(ben), [ref]);
    await decideChecked(services(ben), item);
    expect(await undoLast(ana)).toMatchObject({ kind: "late" });
    expect(await readItem(services(), ref)).toMatchObject({ state: "rejected" });
  });

  it("comes back whole from the bin within ten minutes, and its sender gets no email", async () => {
    const story = await sendStory();
    const event = await sendEvent();
    const before = await readItem(services(), story);
    const reject = toForm([
      ["act", "reject"],
      ["reason", "Please send it again with a date."],
      ["item", toItemValue(story)],
      ["item", toItemValue(event)],
    ]);
    expect(await decideChecked(services(ana), reject)).toEqual({ kind: "decided" });
    pass(9);
    expect(await restoreItems(services(ben), [story])).toBe(1);
    expect(await readItem(services(), story)).toEqual(before);
    expect(await listMails()).toMatchObject([{ recipient: "lee@example.com" }]);
    expect(await listUndos(database.db, clock, ana)).toMatchObject([{ mails: 1 }]);
    expect(await undoLast()).toMatchObject({ kind: "partly" });
    expect(await listMails()).toEqual([]);
    // An approval is not undone by restoring: it is not in the bin.
    await decideChecked(
      services(),
      toForm([
        ["act", "accept"],
        ["item", toItemValue(event)],
      ]),
    );
    expect(await restoreItems(services(ben), [event])).toBe(0);
    expect(await readItem(services(), event)).toMatchObject({ state: "approved" });
  });

  it("of a sender who sent two has an email of its own, which is canceled only if the decision is undone", async () => {
    const first = await sendEvent();
    pass(1);
    const second = await sendEvent("Boat Day");
    const reject = toForm([
      ["act", "reject"],
      ["reason", "Please send it again with a date."],
      ["item", toItemValue(first)],
      ["item", toItemValue(second)],
    ]);
    const readKeys = async () => (await listMails()).map(({ key }) => key);
    await decideChecked(services(), reject);
    await restoreItems(services(ben), [first]);
    expect(await readKeys()).toEqual([`decision:${second.id}`]);
    expect(await listUndos(database.db, clock, ana)).toMatchObject([{ mails: 1 }]);
    await restoreItems(services(ben), [second]);
    expect(await decide("accept")).toEqual({ kind: "decided" });
    pass(1);
    // What somebody has changed since stays published.
    await changeEventState(database.db, first.id, "approved", now);
    expect(await undoLast()).toMatchObject({ kind: "partly" });
    expect(await listWaiting()).toEqual([second]);
    expect(await readKeys()).toEqual([`decision:${first.id}`]);
    const [entry] = await readLog(database.db, { count: 1 });
    expect(entry).toMatchObject({ items: [second.id], title: "1 event" });
  });

  it("is accepted together, each kind in its way, except images without a description", async () => {
    const story = await sendStory();
    await sendMessages(2);
    const event = await sendEvent();
    expect(await decide("accept")).toEqual({ kind: "decided" });
    expect(await listUndos(database.db, clock, ana)).toMatchObject([
      {
        summary: "Approved “Lantern Walk”, marked 2 messages as done",
        note: expect.stringContaining("1 story still waits"),
      },
    ]);
    expect(await readActions()).toEqual(
      expect.arrayContaining([
        "Ana Reyes approved event “Lantern Walk”",
        "Ana Reyes marked as done  2 messages",
      ]),
    );
    expect(await listWaiting()).toEqual([story]);
    expect(await readItem(services(), event)).toMatchObject({ path: `/events/${event.id}` });
    const similar = await sendEvent("The Lantern Walk");
    expect(await readItem(services(), similar)).toMatchObject({
      remarks: expect.arrayContaining([
        expect.objectContaining({ label: "Listed already", link: `/events/${event.id}` }),
      ]),
    });
    const reason = toForm([
      ["act", "reject"],
      ["reason", "Please send it again with a date."],
      ["item", toItemValue(story)],
      ["item", toItemValue(similar)],
    ]);
    const days: SubmissionRef[] = [];
    for (const title of ["Boat Day", "Kite Day", "Tree Day"]) {
      pass(1);
      days.push(await sendEvent(title));
    }
    expect(await decideChecked(services(), reason)).toEqual({ kind: "decided" });
    expect(await listMails()).toHaveLength(2);
    // An address gets a few emails per day, and the editor learns that no more are sent.
    for (const day of days) await decideOne(services(), day, reason);
    expect((await listUndos(database.db, clock, ana)).map(({ note }) => note)).toContain(
      "1 email is not sent, because an address gets at most 3 per day.",
    );
    expect(await decide("accept")).toMatchObject({ kind: "refused" });
  });

  it("is published from the list as its own page would publish it", async () => {
    await sendStory();
    await database.db.update(storyImages).set({ alt: " A cat " });
    await database.db.update(storySubmissions).set({ title: "The\n Cat", text: "It began.\n" });
    expect(await decide("accept")).toEqual({ kind: "decided" });
    expect(await findApprovedStory(database.db, "the-cat")).toMatchObject({
      title: "The Cat",
      text: "It began.",
      category: "Community",
      images: [{ alt: "A cat" }, { alt: "A cat" }],
    });
    expect(await database.db.$count(deskUndoImages)).toBe(0);
  });

  it("never gets the path of a file, even if the file has a mistake", async () => {
    const ref = await sendStory();
    const names = () => ["the-cat"];
    const approval = toForm([
      ["act", "accept"],
      ["title", "The Cat"],
      ["text", "It began."],
      ["category", "Community"],
    ]);
    await decideOne({ ...services(), site: { ...site, names } }, ref, approval);
    expect(await readItem(services(), ref)).toMatchObject({ path: "/news/the-cat-2" });
  });

  it("is compared with the public meetings of its day, and leads to the page of one", async () => {
    const at = new Date("2027-02-20T22:30:00Z");
    await writeOwnMeeting(database.db, now, {
      id: "budget-hearing",
      series: "budget-hearing",
      title: "Budget Hearing",
      description: "",
      location: "City Hall",
      startsAt: at,
      endsAt: at,
      allDay: false,
      url: "",
      cancelled: false,
    });
    const event = await sendEvent("Budget Hearing");
    expect((await readItem(services(), event))?.remarks).toContainEqual(
      expect.objectContaining({ label: "Listed already", link: "/meetings/budget-hearing" }),
    );
  });

  it("shows how much else came from a network until everything of it is decided", async () => {
    const [story, event] = [await sendStory(), await sendEvent()];
    const readNote = async (ref: SubmissionRef) => (await readItem(services(), ref))?.networkNote;
    const before = await readNote(story);
    expect(before).toBe("1 other came from its network on that day.");
    await decide("accept");
    expect(await deleteVisitorHashes(database.db)).toBe(0);
    expect(await readNote(story)).toBe(before);
    await decideOne(services(), story, toForm([["act", "reject"]]));
    expect(await deleteVisitorHashes(database.db)).toBe(1);
    expect(await readNote(event)).toBe("");
  });

  it("is answered by an email that quotes the message, unless the answer is undone", async () => {
    await sendMessages(1);
    const [ref = { kind: "message" as const, id: "" }] = await listWaiting();
    const answer = (editor = ana) =>
      decideOne(
        services(editor),
        ref,
        toForm([
          ["act", "answer"],
          ["seen", "waiting"],
          ["answer", "We fixed it.\n\nThank you!"],
        ]),
      );
    expect(await answer()).toEqual({ kind: "decided" });
    expect(await answer(ben)).toMatchObject({
      kind: "refused",
      summary: "Somebody was faster: 1 message did not wait any longer.",
      typed: { answer: "We fixed it.\n\nThank you!" },
    });
    expect(await readItem(services(), ref)).toMatchObject({
      heading: "Bo wrote: News tip",
    });
    expect(await undoLast()).toEqual({ kind: "undone", item: ref });
    expect(await listMails()).toEqual([]);
    expect(await readItem(services(), ref)).toMatchObject({
      state: "waiting",
      message: { draft: "We fixed it.\n\nThank you!", answers: [] },
    });
    expect(await answer(ben)).toEqual({ kind: "decided" });
    const contact = site.read(contactFile);
    expect(await listMails()).toMatchObject([
      {
        recipient: "bo@example.com",
        headers: { "Reply-To": contact.email },
        text: expect.stringMatching(
          /^We fixed it\.\n\nThank you!\n\nBen Okafor\n.*\n> Dark pier\.\n$/s,
        ),
      },
    ]);
    const done = await readList(services(), { list: "done", kind: "message", page: 1 });
    expect(done.rows).toMatchObject([{ id: ref.id, category: "News tip" }]);
    expect(await readItem(services(), ref)).toMatchObject({
      state: "done",
      message: { draft: "", answers: [{ editorName: "Ben Okafor" }] },
    });
    await database.db.delete(contactMessages);
    expect(await database.db.$count(deskAnswers)).toBe(0);
  });
});
