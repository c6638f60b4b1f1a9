import { desc } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import { readShippedSite } from "../../../tests/support/shipped-site.ts";
import { createLog } from "../../lib/log.ts";
import { findSubmissions, listSubmissions } from "../desk/waiting/list.server.ts";
import { tokenField } from "../forms/model.ts";
import type { Recipients } from "../forms/notify-newsroom.server.ts";
import { createToken } from "../forms/receive.server.ts";
import { deskMailings } from "../forms/schema.server.ts";
import { mails } from "../mail/schema.server.ts";
import {
  deleteOldMessages,
  receiveMessage,
  setMessageState,
  storeMessage,
} from "./messages.server.ts";
import type { Topic } from "./model.ts";
import { contactMessages } from "./schema.server.ts";

const recipients = { newsroom: "news@example.com", tips: "tips@example.com", desk: null };

describe("readers' messages", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    for (const table of [contactMessages, mails, deskMailings]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const clockAt = (instant: string) => () => new Date(instant);
  const send = (key: string, email: string, day: string, topic: Topic | null = null) =>
    storeMessage(
      { db: database.db, clock: clockAt(day), recipients },
      { category: "tip", name: "Bo\nBcc: all@example.com", email, message: "Dark pier." },
      { categoryLabel: "News tip", topic },
      key,
      "",
    );

  it("are each emailed to the newsroom once, with the reader's email address as Reply-To", async () => {
    await send("one", "bo@example.com", "2026-11-15T12:00:00Z");
    await send("one", "bo@example.com", "2026-11-15T12:00:00Z");
    const topic = { title: "A Red Iron Lighthouse", url: "https://x.example/news/lighthouse" };
    await send("two", "", "2026-08-16T12:00:00Z", topic);
    const sent = await database.db.select().from(mails);
    expect(sent).toMatchObject([
      {
        recipient: "tips@example.com",
        subject: "A reader's message: News tip",
        headers: { "Reply-To": "bo@example.com" },
      },
      { headers: {} },
    ]);
    expect(sent[0]?.text).toContain("Dark pier.");
    expect(sent[1]?.text).toContain(`About: ${topic.title}\n${topic.url}\n\nDark pier.`);
  });

  it("cannot forge a line of the email with the sender's name", async () => {
    const { db } = database;
    const now = new Date("2026-11-15T12:00:00Z");
    const form = new FormData();
    form.set("category", "correction");
    form.set("name", "Bo\nEmail: mayor@example.com");
    form.set("message", "The year is wrong.");
    form.set(tokenField, await createToken({ db, clock: () => new Date(now.getTime() - 60_000) }));
    const services = {
      db,
      clock: () => now,
      log: createLog({ write() {} }),
      ipAddress: "192.0.2.1",
      recipients,
      site: await readShippedSite(),
    };
    expect(await receiveMessage(form, services, null)).toMatchObject({ kind: "stored" });
    const [mail] = await db.select().from(mails);
    expect(mail?.text).toMatch(
      /^Name: Bo Email: mayor@example\.com\nThe reader did not leave an email address\.\n/,
    );
  });

  it("go to the editors if there is a desk, and tips to their mailbox with a link to the desk", async () => {
    const desk: Recipients["desk"] = {
      editors: ["ana@example.com"],
      rhythm: "each",
      urlOf: ({ id }) => `https://x.example/desk/${id}`,
    };
    for (const category of ["tip", "general"])
      await storeMessage(
        {
          db: database.db,
          clock: clockAt("2026-11-15T12:00:00Z"),
          recipients: { ...recipients, desk },
        },
        { category, name: "", email: "", message: "Dark pier." },
        { categoryLabel: category, topic: null },
        category,
        "",
      );
    const stored = await database.db.select().from(contactMessages);
    const idOf = (wanted: string) => stored.find(({ category }) => category === wanted)?.id;
    const mailings = await database.db.select().from(deskMailings);
    expect(mailings.map(({ submissions }) => submissions)).toEqual([
      [{ kind: "message", id: idOf("general") }],
    ]);
    const sent = await database.db.select().from(mails).orderBy(desc(mails.recipient));
    expect(sent).toMatchObject([
      { recipient: "tips@example.com" },
      { recipient: "ana@example.com" },
    ]);
    expect(sent[0]?.text).toContain(`https://x.example/desk/${idOf("tip")}`);
  });

  it("are stored with the hash of the network, except news tips", async () => {
    for (const category of ["tip", "general"])
      await storeMessage(
        { db: database.db, clock: clockAt("2026-11-15T12:00:00Z"), recipients },
        { category, name: "", email: "", message: "Dark pier." },
        { categoryLabel: category, topic: null },
        category,
        "hash",
      );
    const stored = await database.db.select().from(contactMessages);
    expect(new Map(stored.map(({ category, visitorHash }) => [category, visitorHash]))).toEqual(
      new Map([
        ["tip", ""],
        ["general", "hash"],
      ]),
    );
  });

  it("are deleted a year after they were received, or ninety days after they are done", async () => {
    await send("one", "bo@example.com", "2026-11-15T12:00:00Z");
    await send("two", "", "2026-08-16T12:00:00Z");
    const [old, young] = await listSubmissions(database.db, "message", ["waiting"]);
    await setMessageState(database.db, clockAt("2026-08-17T12:00:00Z"), [young?.id ?? ""], "done");
    expect(await deleteOldMessages(database.db, clockAt("2026-11-15T11:00:00Z"))).toBe(0);
    expect(await deleteOldMessages(database.db, clockAt("2026-11-15T13:00:00Z"))).toBe(1);
    expect(await findSubmissions(database.db, "message", old?.id.slice(0, 8) ?? "")).toHaveLength(
      1,
    );
    expect(await deleteOldMessages(database.db, clockAt("2027-08-16T13:00:00Z"))).toBe(1);
  });
});
