import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import { createLog } from "../../../lib/log.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { makeBriefNow } from "../../brief/make.server.ts";
import { findBrief } from "../../brief/read.server.ts";
import { community } from "../../community/feature.server.ts";
import { communityFile } from "../../community/files.server.ts";
import { readListings, showListings } from "../../community/listings.server.ts";
import { deleteEndedListings } from "../../community/own-listings.server.ts";
import { communityListings } from "../../community/schema.server.ts";
import { meetingFeed } from "../../events/feed.server.ts";
import { calendarEvents } from "../../events/import/schema.server.ts";
import { createEventLookup, eventsWithin } from "../../events/listing/gather.server.ts";
import { toMeetingDetails } from "../../events/meetings/describe.server.ts";
import { createMeetingLookup, findMeeting } from "../../events/meetings/gather.server.ts";
import { loadMeetings, loadMeetingsView } from "../../events/meetings/view.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { deskFile } from "../files.server.ts";
import { findDeskPath } from "../log/desk-paths.server.ts";
import { readLog } from "../log/log.server.ts";
import { deskLog } from "../schema.server.ts";
import { changeEntry, showEntries, showEntryForm } from "./entries.server.ts";
import { remindOfListings } from "./listings.server.ts";
import type { EntryList } from "./model.ts";

const ana = { name: "Ana", email: "ana@example.com" };
let now = new Date();
let database: OpenDatabase;
let site: SiteContent;
beforeAll(async () => {
  database = await openTestDatabase();
  site = await readShippedSite();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = new Date("2026-11-18T12:00:00Z");
  await database.db.delete(calendarEvents);
  await database.db.delete(communityListings);
  await database.db.delete(deskLog);
});

const services = () => ({
  site,
  db: database.db,
  clock: () => now,
  log: createLog({ write: () => true }),
  tags: { add() {} },
  expireAt() {},
});
async function send(list: EntryList, id: string, fields: Record<string, string>) {
  const form = new FormData();
  const { entry } = await showEntryForm(services(), list, id);
  const all = { action: "save", seen: entry?.seen ?? "", ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  // The log is in the order of its times.
  now = new Date(now.getTime() + 1_000);
  return changeEntry({ ...services(), editor: ana }, list, { id, form });
}
async function save(list: EntryList, id: string, fields: Record<string, string>) {
  const result = await send(list, id, fields);
  if (result.kind === "refused") throw new Error(JSON.stringify(result));
  return result.id;
}
const showList = (list: EntryList, changed: string | null = null, did = "save") =>
  showEntries(services(), list, { changed, did });
const log = async () =>
  (await readLog(database.db, { count: 20 }))
    .map(({ action, kind, title }) => `${action} ${kind} ${title}`)
    .toReversed();

describe("meetings at the desk", () => {
  const hearing = {
    body: "Board of Estimates",
    title: "Hearing on the Water Budget",
    day: "2026-11-18",
    starts: "6:00 PM",
    ends: "20:00",
    room: "City Hall, Room 215",
    text: "Bring your bills.",
    howToSpeak: "Sign up at the door.",
    agenda: "city.example/agenda.pdf",
  };
  const find = async (id: string) => {
    const lookup = createMeetingLookup(services());
    const meeting = await findMeeting(lookup, id);
    return meeting && toMeetingDetails(meeting, lookup);
  };
  const load = () => loadMeetings(services(), new URL("https://www.city.example/meetings"));

  it("are on the pages of meetings and events, in the feed and in the brief, once for a form sent twice", async () => {
    const key = "0a1b2c3d-0000-4000-8000-000000000000";
    const id = await save("meetings", "new", { ...hearing, key });
    expect(await save("meetings", "new", { ...hearing, key })).toBe(id);
    expect(id).toBe("hearing-on-the-water-budget-0a1b2c");
    expect(await log()).toEqual(["added meeting Hearing on the Water Budget"]);
    expect(await find(id)).toMatchObject({
      title: "Hearing on the Water Budget",
      bodyName: "Board of Estimates",
      timeLine: "6:00 PM – 8:00 PM",
      location: "City Hall, Room 215",
      text: "Bring your bills.",
      howToSpeak: { text: "Sign up at the door.", url: null },
      links: [{ label: "Agenda", url: "https://city.example/agenda.pdf" }],
      source: null,
    });
    const view = await loadMeetingsView(
      services(),
      new URL("https://www.city.example/meetings?body=board-of-estimates"),
    );
    expect(view.days.flatMap(({ items }) => items)).toMatchObject([{ id }]);
    const events = createEventLookup(services());
    expect(
      await eventsWithin(events, { from: now, until: new Date("2026-11-19T05:00:00Z") }),
    ).toContainEqual(expect.objectContaining({ id, category: "Public meetings" }));
    const feed = await meetingFeed("json", await load(), "Harborline").json();
    expect(feed.items).toHaveLength(1);
    await makeBriefNow(services(), { again: true });
    expect((await findBrief(services(), "2026-11-18"))?.meetings).toMatchObject([
      { when: "Tonight", title: "Hearing on the Water Budget" },
    ]);
  });

  it("never overwrite what somebody else has changed meanwhile: the later editor sees both", async () => {
    const id = await save("meetings", "new", hearing);
    const seen = (await showEntryForm(services(), "meetings", id)).entry?.seen ?? "";
    await save("meetings", id, { ...hearing, room: "War Memorial" });
    const mine = { ...hearing, room: "Room 400", minutes: "https://city.example/m" };
    const refused = await send("meetings", id, { ...mine, seen });
    expect(refused).toMatchObject({
      kind: "refused",
      errors: { room: "Now it says: War Memorial", minutes: "Now it is empty." },
      typed: { room: "Room 400" },
    });
    expect(await send("meetings", id, { action: "delete", seen })).toMatchObject({
      kind: "refused",
      summary: expect.stringContaining("Nothing was deleted"),
      typed: { room: "War Memorial" },
    });
    expect(await find(id)).toMatchObject({ location: "War Memorial" });
    const seenNow = refused.kind === "refused" ? (refused.typed.seen ?? "") : "";
    await save("meetings", id, { ...mine, seen: seenNow });
    expect(await find(id)).toMatchObject({ location: "Room 400" });
  });

  it("say where they were moved from unless that was a mistake, and are canceled, reinstated and deleted", async () => {
    const id = await save("meetings", "new", hearing);
    await save("meetings", id, { ...hearing, starts: "18:30", room: "War Memorial" });
    expect((await find(id))?.moved).toBe("Moved from 6:00 PM, City Hall, Room 215");
    await save("meetings", id, { ...hearing, starts: "19:00", isCorrection: "on" });
    expect(await find(id)).toMatchObject({ moved: null, timeLine: "7:00 PM – 8:00 PM" });
    await save("meetings", id, { action: "cancel" });
    expect((await showList("meetings", id, "cancel")).changed).toMatchObject({
      became: "is canceled",
    });
    expect(await find(id)).toMatchObject({ isCanceled: true, text: "Bring your bills." });
    // A change does not reinstate it.
    await save("meetings", id, { ...hearing, starts: "19:00", minutes: "https://city.example/m" });
    expect((await find(id))?.isCanceled).toBe(true);
    expect((await showEntryForm(services(), "meetings", id)).entry).toMatchObject({
      typed: { starts: "19:00", ends: "20:00", day: "2026-11-18", body: "Board of Estimates" },
    });
    await save("meetings", id, { action: "reinstate" });
    expect((await find(id))?.isCanceled).toBe(false);
    const subject = { kind: "meeting", id };
    expect(await findDeskPath(services(), subject)).toBe(`/desk/meetings?entry=${id}`);
    await save("meetings", id, { action: "delete" });
    expect(await find(id)).toBeNull();
    expect(await findDeskPath(services(), subject)).toBeNull();
    const title = "meeting Hearing on the Water Budget";
    const actions = ["added", "changed", "changed", "canceled", "changed", "reinstated", "deleted"];
    expect(await log()).toEqual(actions.map((action) => `${action} ${title}`));
  });

  it("need only a body and a day, and are listed as coming or over", async () => {
    const id = await save("meetings", "new", { body: "Zoning Working Group", day: "2026-11-19" });
    expect(await find(id)).toMatchObject({
      title: "Zoning Working Group",
      timeLine: "Time to be announced",
    });
    const listed = async () => (await showList("meetings")).groups.map(({ heading }) => heading);
    expect(await listed()).toEqual(["Coming"]);
    now = new Date("2026-11-20T05:00:00Z");
    expect(await listed()).toEqual(["Over"]);
  });

  it("are refused with a sentence for each field, and nothing typed is lost", async () => {
    const wrong = { body: " ", day: "tomorrow", starts: "soon", agenda: "agenda.pdf" };
    expect(await send("meetings", "new", wrong)).toMatchObject({
      kind: "refused",
      errors: {
        body: expect.any(String),
        day: expect.any(String),
        starts: expect.any(String),
        agenda: expect.any(String),
      },
      typed: wrong,
    });
    const refusedFields = async (fields: Record<string, string>) => {
      const result = await send("meetings", "new", { ...hearing, ...fields });
      return result.kind === "refused" ? Object.keys(result.errors) : [];
    };
    expect(await refusedFields({ starts: "" })).toEqual(["starts"]);
    expect(await refusedFields({ ends: "17:00" })).toEqual(["ends"]);
    expect(await refusedFields({ day: "2024-01-01" })).toEqual(["day"]);
    const id = await save("meetings", "new", hearing);
    await save("meetings", id, { action: "delete" });
    expect(await send("meetings", id, hearing)).toMatchObject({
      summary: "Somebody has deleted this meeting. Save it to add it again.",
      typed: hearing,
    });
    expect(await showEntryForm(services(), "meetings", id)).toMatchObject({ id: "new" });
    for (const action of ["toString", ""])
      expect(await send("meetings", id, { action })).toMatchObject({
        summary: "Please choose what to do.",
      });
    expect(await send("meetings", "new", { action: "cancel" })).toMatchObject({ kind: "refused" });
    const unknown = await showEntryForm(services(), "meetings", "\u0000");
    expect(unknown).toMatchObject({ id: "new", entry: null });
  });
});

describe("listings at the desk", () => {
  const garden = {
    group: "",
    title: "Plant trees",
    organization: "Tree Baltimore",
    text: "Shovels are there.",
    commitment: "One Saturday",
    link: "https://trees.example/",
    until: "2026-11-25",
  };
  const shown = async () => {
    const { volunteer, groups } = await readListings(services());
    const links = groups.flatMap((group) =>
      group.links.map((link) => ({ ...link, in: group.name })),
    );
    return [...showListings(services(), volunteer), ...showListings(services(), links)];
  };

  it("are among those of the file, in the same order, until the midnight after their last day", async () => {
    const groupName = site.read(communityFile).resources.groups[0]?.name ?? "";
    const id = await save("listings", "new", garden);
    const group = { group: groupName, organization: "", commitment: "" };
    await save("listings", "new", { ...garden, ...group, title: "Food bank", until: "" });
    const [first] = await shown();
    expect(first).toMatchObject({
      title: "Plant trees",
      text: "Shovels are there.",
      note: "Until November 25",
    });
    expect(await shown()).toContainEqual(
      expect.objectContaining({ title: "Food bank", in: groupName, note: null }),
    );
    const titles = (await community.documents?.list(services() as never))?.map(
      ({ title }) => title,
    );
    expect(titles).toEqual(expect.arrayContaining(["Plant trees", "Food bank"]));

    await save("listings", id, { action: "checked" });
    expect((await shown())[0]?.note).toBe("Until November 25 · Checked November 18");
    expect(await log()).toEqual([
      "added listing Plant trees",
      "added listing Food bank",
      "checked listing Plant trees",
    ]);

    now = new Date("2026-11-26T05:00:00Z");
    expect((await shown()).some((each) => "title" in each && each.title === "Plant trees")).toBe(
      false,
    );
    const rows = (await showList("listings", id)).groups.flatMap((each) => each.rows);
    expect(rows).toMatchObject([{ title: "Plant trees", marks: ["Ended"] }, {}]);
    now = new Date("2026-12-26T04:59:00Z");
    expect(await deleteEndedListings(services())).toBe(0);
    now = new Date("2026-12-26T05:00:00Z");
    expect(await deleteEndedListings(services())).toBe(1);
  });

  it("are refused with a sentence for each field", async () => {
    const refusedFields = async (fields: Record<string, string>) => {
      const result = await send("listings", "new", { ...garden, ...fields });
      return result.kind === "refused" ? Object.keys(result.errors) : [];
    };
    expect(await refusedFields({ title: "", text: "", link: "", until: "soon" })).toEqual([
      "title",
      "text",
      "link",
      "until",
    ]);
    expect(await refusedFields({ checked: "2026-11-19" })).toEqual(["checked"]);
    for (const until of ["9999-12-31", "0000-01-01"])
      expect(await send("listings", "new", { ...garden, until })).toMatchObject({
        errors: { until: "Please enter a date at most 20 years away, or leave this empty." },
      });
    expect(await refusedFields({ group: "Nowhere", organization: "", commitment: "" })).toEqual([
      "group",
    ]);
    const safe = await save("listings", "new", {
      ...garden,
      link: "https://trees.example/\u0000a",
    });
    expect((await showEntryForm(services(), "listings", safe)).entry?.typed.link).toBe(
      "https://trees.example/a",
    );
    await save("listings", safe, { action: "delete" });
    const group = site.read(communityFile).resources.groups[0]?.name ?? "";
    expect(await refusedFields({ group })).toEqual(["organization", "commitment"]);
    const id = await save("listings", "new", garden);
    await save("listings", id, { action: "delete" });
    expect((await showList("listings", id)).changed).toBe("deleted");
    expect(await shown()).not.toContainEqual(expect.objectContaining({ title: "Plant trees" }));
  });

  it("remind the newsroom, or each editor of a desk, once in the week before one ends", async () => {
    const source = await readFile("sites/baltimore/community.yaml", "utf8");
    const ending = communityFile.parse(
      source.replace(
        "link: https://www.barcs.org/",
        "until: 2026-11-25\n      link: https://www.barcs.org/",
      ),
    );
    const id = await save("listings", "new", garden);
    let editors: string[] = [];
    const desk = () =>
      editors.length > 0 ? { editors: editors.map((email) => ({ name: email, email })) } : null;
    const read = (file: { path: string }) => {
      if (file.path === communityFile.path && ending.ok) return ending.value;
      return file.path === deskFile.path ? desk() : site.read(file as never);
    };
    const remindAt = async (instant: string) => {
      now = new Date(instant);
      const own = { ...site, read } as SiteContent;
      await remindOfListings({ ...services(), site: own, mail: { wake() {} } as never });
      const queued = await database.db.select().from(mails);
      return queued.map(({ recipient }) => recipient).toSorted();
    };
    expect(await remindAt("2026-11-17T18:05:00Z")).toEqual([]);
    expect(await remindAt("2026-11-18T12:05:00Z")).toEqual([]);
    const newsroom = site.read(contactFile).email;
    expect(await remindAt("2026-11-18T13:05:00Z")).toEqual([newsroom, newsroom]);
    expect(await remindAt("2026-11-19T13:05:00Z")).toHaveLength(2);
    editors = ["ana@example.com", "bo@example.com"];
    expect(await remindAt("2026-11-19T14:05:00Z")).toHaveLength(6);
    const texts = (await database.db.select().from(mails)).map(({ text }) => text).join();
    expect(texts).toContain("its `until` in community.yaml");
    expect(texts).toContain(`/desk/listings?entry=${id}`);
  });
});
