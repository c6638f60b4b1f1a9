import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { runCommand } from "../../../server/newsroom/commands.ts";
import { readSite } from "../../../server/site/site-files.ts";
import { bareHost } from "../../../tests/support/command-host.ts";
import { countWaitingForLock, openTestDatabase } from "../../../tests/support/database.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { decideByCommand } from "../desk/commands/decide-by-command.server.ts";
import { eventsCommand } from "../desk/commands/events-command.server.ts";
import { findSubmissions, listSubmissions } from "../desk/waiting/list.server.ts";
import { firstErrors } from "../forms/receive.server.ts";
import { findEventRow } from "./desk-events.server.ts";
import { storeEvent } from "./receive-event.server.ts";
import { eventSubmissions } from "./schema.server.ts";
import { deleteOldSubmissions, eventForm, listApprovedEvents } from "./submissions.server.ts";

const recipients = { newsroom: "news@example.com", tips: "tips@example.com", desk: null };

const timeZone = "America/New_York";
const site = await readSite("sites/baltimore", [siteSettingsFile, contactFile]);
const clockAt = (instant: string) => () => new Date(instant);
const now = clockAt("2026-11-15T17:00:00Z");
const { schema } = eventForm(["Music", "Food"], "2026-11-15");
const valid = {
  title: "Block Party",
  location: "Sample Street",
  day: "2026-12-05",
  starts: "20:00",
  ends: "01:00",
  category: "Music",
  free: "on",
  description: "Come.",
  url: "",
  name: "Ann",
  email: "ann@example.com",
  consent: "on",
};

describe("an event that a reader submits", () => {
  it.each([
    ["a date in the past", { day: "2026-11-14" }],
    ["a date that does not exist", { day: "2026-02-30" }],
    ["a date more than two years ahead", { day: "2126-01-01" }],
    ["an invalid time", { starts: "late" }],
    ["an unknown category", { category: "Weddings" }],
    ["a URL that runs a script", { url: "javascript:alert(1)" }],
    ["a blank title", { title: "  " }],
    ["no consent", { consent: "" }],
    ["an end 23 hours after the start", { starts: "19:00", ends: "18:00" }],
  ])("is refused with %s", (_, invalid) => {
    expect(schema.safeParse({ ...valid, ...invalid }).success).toBe(false);
  });
});

describe("the time of an event", () => {
  it("is refused together with the other fields, in their order, if it ends before it starts", () => {
    const invalid = { starts: "22:00", ends: "21:30", email: "ann", consent: "" };
    const { error } = schema.safeParse({ ...valid, ...invalid });
    expect(error && Object.keys(firstErrors(schema, error))).toEqual(["ends", "email", "consent"]);
  });

  it.each([
    ["17:30", "17:30"],
    ["5:30 PM", "17:30"],
    ["12:05 am", "00:05"],
    ["12 p.m.", "12:00"],
    ["9am", "09:00"],
  ])("may be typed as %s", (typed, starts) => {
    expect(schema.parse({ ...valid, starts: typed })).toMatchObject({ starts });
  });

  it("is shown in the 12-hour format in error messages", () => {
    const { error } = schema.safeParse({ ...valid, starts: "25:00", ends: "13 PM" });
    expect(error?.issues.map(({ message }) => message).join(" ")).toMatch(
      /such as 5:30 PM.*such as 7:30 PM/,
    );
  });
});

describe("readers' events", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.db.delete(eventSubmissions));
  afterAll(() => database.close());

  const send = (key: string, clock = now, changes: Partial<typeof valid> = {}) =>
    storeEvent(
      { db: database.db, clock, recipients, timeZone },
      schema.parse({ ...valid, ...changes }),
      key,
    );
  const waiting = () => listSubmissions(database.db, "event", ["waiting"]);
  /** What an editor who lists all events now sees of these. */
  const look = async (ids: string[]) => {
    const all = await listSubmissions(database.db, "event", ["waiting", "approved", "rejected"]);
    return ids.map((id) => ({
      kind: "event" as const,
      id,
      state: all.find((event) => event.id === id)?.state ?? "none",
    }));
  };
  const reject = async (clock: typeof now, ids: string[]) =>
    decideByCommand({ db: database.db, clock, site }, await look(ids), { action: "reject" });

  it("are stored once when the form is sent twice, and are not published", async () => {
    await send("same");
    await send("same");
    expect(await listApprovedEvents(database.db, new Date(0))).toEqual([]);
    expect(await waiting()).toMatchObject([
      {
        id: expect.stringMatching(/^block-party-[0-9a-f]{6}$/),
        free: true,
        startsAt: new Date("2026-12-06T01:00:00Z"),
        // The event ends after midnight.
        endsAt: new Date("2026-12-06T06:00:00Z"),
      },
    ]);
  });

  it("are published when approved: every node purges its pages, and the sender's name and email address are deleted", async () => {
    await send("one");
    const [{ id = "" } = {}] = await waiting();
    const purged: string[][] = [];
    const stop = await database.listen({
      onPurge: (tags) => purged.push(tags),
      onLost() {},
      onRestored() {},
    });
    // The last part of the id is enough.
    expect(await findSubmissions(database.db, "event", id.slice(-6, -1))).toMatchObject([{ id }]);
    expect(await findSubmissions(database.db, "event", "block")).toEqual([]);
    const seen = await look([id]);
    const decideAgain = () =>
      decideByCommand({ db: database.db, clock: now, site }, seen, { action: "accept" });
    expect(await decideAgain()).toMatchObject({
      decided: [{ id, state: "approved" }],
      senders: { notified: 1, skipped: 0 },
    });
    await expect.poll(() => purged).toEqual([["events"]]);
    await stop();
    expect(await listApprovedEvents(database.db, now())).toMatchObject([
      { id, title: "Block Party", name: "", email: "" },
    ]);
    await expect(reject(now, [id, "nothing"])).rejects.toThrow("Nothing was changed");
    // Another editor has decided since this one has seen the list.
    await expect(decideAgain()).rejects.toThrow("somebody else has just decided");
    expect(await listApprovedEvents(database.db, now())).toHaveLength(1);
    await reject(now, [id]);
    expect(await listApprovedEvents(database.db, now())).toEqual([]);
  });

  it("of the desk are taken down when they are rejected, and can be published there again", async () => {
    await send("one");
    const [{ id = "" } = {}] = await waiting();
    await database.db.update(eventSubmissions).set({ writtenBy: "desk", state: "approved" });
    const results: unknown[] = [];
    await runCommand([eventsCommand], ["events", "reject", id], {
      ...bareHost,
      siteFolder: "sites/baltimore",
      database: async () => database.db,
      result: (value) => results.push(value),
    });
    expect(results).toEqual([{ id, state: "down" }]);
    expect(await findEventRow(database.db, id)).toMatchObject({ state: "down" });
  });

  it("are locked in the order of their ids, as at the desk, so that no two editors wait for each other", async () => {
    const postgres = await openTestDatabase("postgres");
    const { db } = postgres;
    for (const key of ["one", "two"])
      await storeEvent({ db, clock: now, recipients, timeZone }, schema.parse(valid), key);
    await db
      .update(eventSubmissions)
      .set({ id: "second", createdAt: new Date(0) })
      .where(eq(eventSubmissions.key, "one"));
    await db.update(eventSubmissions).set({ id: "first" }).where(eq(eventSubmissions.key, "two"));
    const events = (await listSubmissions(db, "event", ["waiting"])).map(({ id, state }) => ({
      kind: "event" as const,
      id,
      state,
    }));
    let decided: ReturnType<typeof decideByCommand> | undefined;
    const lock = (tx: typeof db, id: string) =>
      tx.select().from(eventSubmissions).where(eq(eventSubmissions.id, id)).for("update");
    await db.transaction(async (tx) => {
      await lock(tx, "first");
      decided = decideByCommand({ db, clock: now, site }, events, { action: "accept" });
      await expect.poll(() => countWaitingForLock(postgres)).toBe(1);
      await lock(tx, "second");
    });
    expect((await decided)?.senders).toMatchObject({ notified: 2 });
    await postgres.close();
  });

  it("can be edited before they are approved, within the limits of the form", async () => {
    await send("one");
    const [{ id = "" } = {}] = await waiting();
    const edit = async (...options: string[]) => {
      const lines: string[] = [];
      const code = await runCommand([eventsCommand], ["events", "edit", ...options], {
        ...bareHost,
        siteFolder: "sites/baltimore",
        database: async () => database.db,
        clock: now,
        print: (line) => lines.push(line),
      });
      return [code, ...lines.filter((line) => !line.includes("newsroom help"))];
    };
    expect(
      await edit(id.slice(-6), "--title", "Pier Party", "--ends", "11 PM", "--free", "no"),
    ).toEqual([
      0,
      `✓ Changed "Pier Party". To publish it: ./newsroom events approve ${id.slice(-6)}`,
    ]);
    expect(await waiting()).toMatchObject([
      {
        id,
        title: "Pier Party",
        location: valid.location,
        description: valid.description,
        free: false,
        startsAt: new Date("2026-12-06T01:00:00Z"),
        endsAt: new Date("2026-12-06T04:00:00Z"),
        email: valid.email,
      },
    ]);
    expect(await edit(id, "--starts", "late", "--category", "Weddings")).toEqual([
      2,
      "✗ --starts: Please enter a time, such as 5:30 PM.",
      expect.stringMatching(/^✗ --category: Please choose one of these: Music, /),
    ]);
    expect(await edit(id)).toEqual([2, expect.stringContaining("Say what to change")]);
    const emptyReason = ["events", "reject", id, "--reason", " "];
    expect(await runCommand([eventsCommand], emptyReason, { ...bareHost, print() {} })).toBe(2);
    expect(await waiting()).toHaveLength(1);
    expect(await edit("nothing", "--title", "X")).toEqual([
      1,
      expect.stringContaining('Readers have sent no event "nothing"'),
    ]);
  });

  it("are deleted after 90 days without a decision, or 30 days after they were rejected", async () => {
    await send("old", clockAt("2026-08-16T17:00:00Z"));
    await send("new", clockAt("2026-11-14T17:00:00Z"), { title: "New" });
    await send("rejected", clockAt("2026-11-14T17:00:00Z"), { title: "Rejected" });
    const [, , rejected] = await waiting();
    await reject(clockAt("2026-10-15T17:00:00Z"), [rejected?.id ?? ""]);
    expect(await deleteOldSubmissions(database.db, now)).toBe(2);
    expect((await waiting()).map(({ title }) => title)).toEqual(["New"]);
  });
});
