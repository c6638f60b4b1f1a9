import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, testDatabase } from "../../../../tests/support/database.ts";
import { queueMail, queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { subscribers } from "../schema.server.ts";
import { checkConfirmLink, confirm } from "./confirm.server.ts";
import { countSubscribers, deleteSubscriber } from "./list.server.ts";
import { renderConfirmationMail } from "./mails.server.ts";
import {
  confirmationTemplate,
  deleteUnconfirmed,
  newsletterForm,
  signUp,
} from "./subscribe.server.ts";
import { readUnsubscribeToken, unsubscribe } from "./unsubscribe.server.ts";

const { schema } = newsletterForm;

describe("the address of a subscriber", () => {
  it.each([
    "",
    "   ",
    "reader",
    "reader@",
    "two words@example.com",
    `${"x".repeat(250)}@example.com`,
    "a\0@example.com",
  ])("is not %j", (email) => {
    expect(schema.safeParse({ email }).success).toBe(false);
  });

  it("is whatever the browser's own check lets through, in small letters", () => {
    for (const email of ["reader@localhost", "o'neil+news@sub.example.co", " Reader@Example.com "])
      expect(schema.parse({ email })).toEqual({ email: email.trim().toLowerCase() });
  });
});

describe.each(databaseKinds)("the newsletter on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const pass = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  const enter = (email: string, perHour = 500) =>
    signUp({ db: database.db, clock, perHour }, email);
  const readers = () => database.db.select().from(subscribers);
  const asked = () => database.db.select().from(mails).orderBy(mails.dueAt);

  /** What the sender does when the mail leaves. */
  async function letterTo(email: string) {
    const reader = (await readers()).find((each) => each.email === email);
    const texts = {
      heading: "The letter",
      confirmation: { subject: "Was it you?", question: "Was it?", button: "Yes", otherwise: "No" },
      already: { subject: "It comes already", text: "It comes." },
    };
    const imprint = { name: "The Paper", street: "1 Wharf", city: "Baltimore" };
    const services = { db: database.db, clock, texts, origin: "https://paper.example", imprint };
    const letter = await renderConfirmationMail(services, reader?.id ?? "");
    const [, link = "", token = ""] = /(https:\S+)\?token=(\S+)/.exec(letter?.text ?? "") ?? [];
    return { ...letter, link, token };
  }

  beforeAll(async () => {
    database = await testDatabase(kind);
  });
  beforeEach(async () => {
    await database.db.delete(subscribers);
    await database.db.delete(mails);
  });
  afterAll(() => database.close());

  it("keeps an address as pending and asks it once a day, however often it is entered", async () => {
    await Promise.all([enter("reader@example.com"), enter("reader@example.com")]);
    pass(23);
    await enter("reader@example.com");
    expect(await readers()).toMatchObject([
      { email: "reader@example.com", state: "pending", createdAt: now },
    ]);
    expect(await asked()).toHaveLength(1);
    pass(2);
    await enter("reader@example.com");
    expect(await asked()).toHaveLength(2);
  });

  it("does the same for an address that is new, pending or confirmed", async () => {
    const statements: string[] = [];
    const session = Reflect.get(database.db, "session");
    const prepare = session.prepareQuery;
    await enter("pending@example.com");
    await enter("confirmed@example.com");
    await confirm(database.db, clock, (await letterTo("confirmed@example.com")).token);
    const shapes = new Map<string, string>();
    for (const email of ["new@example.com", "pending@example.com", "confirmed@example.com"]) {
      statements.length = 0;
      await database.db.transaction(async (tx) => {
        const inner = Object.getPrototypeOf(Reflect.get(tx, "session"));
        inner.prepareQuery = function (query: { sql: string }, ...rest: unknown[]) {
          statements.push(query.sql);
          return prepare.call(this, query, ...rest);
        };
        try {
          await signUp({ db: tx, clock, perHour: 500 }, email);
        } finally {
          inner.prepareQuery = prepare;
        }
      });
      shapes.set(email, statements.join(";\n"));
    }
    expect(statements.length).toBeGreaterThanOrEqual(4);
    expect(new Set(shapes.values()).size).toBe(1);
  });

  it("lets so many mails leave within an hour and has the others wait; a day's worth is the end", async () => {
    for (let index = 0; index < 5; index += 1) await enter(`r${index}@example.com`, 2);
    expect(
      (await asked()).map(({ dueAt }) => (dueAt.getTime() - now.getTime()) / 3_600_000),
    ).toEqual([0, 0, 1, 1, 2]);
    const others = Array.from({ length: 43 }, (_, index) => ({
      key: `${index}`,
      to: `w${index}@example.com`,
    }));
    const mail = { template: confirmationTemplate, about: crypto.randomUUID(), dueAt: now };
    await queueTemplateMails(
      database.db,
      clock,
      others.map((other) => ({ ...other, ...mail })),
    );
    await expect(enter("one-too-many@example.com", 2)).rejects.toThrow("Too many");
    expect(await countSubscribers(database.db)).toEqual({ pending: 5, confirmed: 0 });
  });

  it("is confirmed by a link that works once, for a week, and is stored as a hash only", async () => {
    await enter("reader@example.com");
    const { token, link, headers } = await letterTo("reader@example.com");
    expect(link).toBe("https://paper.example/newsletter/confirm");
    expect(headers).toBeUndefined();
    expect(JSON.stringify([await readers(), await asked()])).not.toContain(token);
    pass(7 * 24);
    expect(await checkConfirmLink(database.db, clock, token)).toBe("expired");
    expect(await confirm(database.db, clock, token)).toBe("expired");

    const renewed = await letterTo("reader@example.com");
    expect(await confirm(database.db, clock, token)).toBe("unknown");
    expect(await checkConfirmLink(database.db, clock, renewed.token)).toBe("good");
    expect(await confirm(database.db, clock, renewed.token)).toBe("confirmed");
    expect(await confirm(database.db, clock, renewed.token)).toBe("used");
    expect(await readers()).toMatchObject([{ state: "confirmed", confirmedAt: now }]);
    for (const wrong of ["", "x", `${renewed.token}x`])
      expect(await confirm(database.db, clock, wrong)).toBe("unknown");
  });

  it("tells a reader who gets the letter already, and nobody else, that it comes", async () => {
    await enter("reader@example.com");
    await confirm(database.db, clock, (await letterTo("reader@example.com")).token);
    const letter = await letterTo("reader@example.com");
    expect(letter.subject).toBe("It comes already");
    expect(letter.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
  });

  it("ends with one click, twice as well as once, and leaves no address and no mail to come", async () => {
    await enter("reader@example.com");
    await confirm(database.db, clock, (await letterTo("reader@example.com")).token);
    const { token } = await letterTo("reader@example.com");
    for (const wrong of ["", "x.y", token.slice(0, -1), `${token}.x`, token.replace(/^./, "g")])
      expect(await readUnsubscribeToken(database.db, wrong)).toBeNull();
    expect(await unsubscribe(database.db, token)).toBe(true);
    expect(await unsubscribe(database.db, token)).toBe(true);
    expect([await readers(), await asked()]).toEqual([[], []]);
  });

  it("asks a reader who left and came back on the next day, once, and ends by the link of an old letter", async () => {
    const leave = async () => {
      await confirm(database.db, clock, (await letterTo("reader@example.com")).token);
      const { token } = await letterTo("reader@example.com");
      await database.db.update(mails).set({ state: "sent", doneAt: now });
      return token;
    };
    const first = now;
    await enter("reader@example.com");
    const old = await leave();
    await unsubscribe(database.db, old);
    pass(2);
    await enter("reader@example.com");
    await enter("reader@example.com");
    const tomorrow = new Date(first.getTime() + 24 * 3_600_000);
    expect(await asked()).toMatchObject([{ dueAt: first }, { state: "waiting", dueAt: tomorrow }]);
    pass(23);
    await leave();
    pass(3);
    await enter("reader@example.com");
    expect(await asked()).toHaveLength(2);
    expect(await readers()).toMatchObject([{ state: "confirmed" }]);
    expect(await unsubscribe(database.db, old)).toBe(true);
    expect(await readers()).toEqual([]);
  });

  it("is forgotten for an address that was not confirmed within 30 days, and at once when we are told to", async () => {
    await enter("old@example.com");
    pass(30 * 24 - 1);
    await enter("kept@example.com");
    pass(2);
    expect(await deleteUnconfirmed(database.db, clock)).toBe(1);
    expect((await readers()).map(({ email }) => email)).toEqual(["kept@example.com"]);
    // What a reader wrote to the newsroom stays, also when the newsroom reads its own letter.
    const notice = {
      key: "contact:1",
      to: "kept@example.com",
      subject: "A message",
      text: "Hello.",
    };
    await queueMail(database.db, clock, notice);
    const ours = (await asked()).find(
      ({ recipient, template }) => recipient === notice.to && template !== null,
    );
    expect(await deleteSubscriber(database.db, "kept@example.com")).toEqual({ mails: [ours?.id] });
    expect(await deleteSubscriber(database.db, "kept@example.com")).toBeNull();
    expect(await readers()).toEqual([]);
    expect((await asked()).filter(({ recipient }) => recipient === notice.to)).toMatchObject([
      { key: notice.key },
    ]);
  });
});
