import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { testLook } from "../../../../tests/support/look.ts";
import { wholeCity } from "../../../../tests/support/whole-city.ts";
import { createLog } from "../../../lib/log.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { lookFile } from "../../brand/look-file.server.ts";
import { queueMail, queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { newsletterFile } from "../files.server.ts";
import { subscribers } from "../schema.server.ts";
import { countSubscribers, deleteSubscriber } from "./list.server.ts";
import {
  checkConfirmLink,
  confirmationTemplate,
  confirmSubscription,
  deleteUnconfirmed,
  newsletterRule,
  renderConfirmationMail,
  subscribe,
} from "./subscribe.server.ts";
import { readUnsubscribeToken, unsubscribe } from "./unsubscribe.server.ts";

const { schema } = newsletterRule;

describe("the email address of a subscriber", () => {
  it.each([
    "",
    "   ",
    "reader",
    "reader@",
    "reader@localhost",
    "two words@example.com",
    `${"x".repeat(250)}@example.com`,
    "a\0@example.com",
  ])("cannot be %j", (email) => {
    expect(schema.safeParse({ email }).success).toBe(false);
  });

  it("is stored in lowercase", () => {
    for (const email of ["o'neil+news@sub.example.co", " Reader@Example.com "])
      expect(schema.parse({ email })).toEqual({ email: email.trim().toLowerCase() });
  });
});

describe("the newsletter", () => {
  let database: OpenDatabase;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const log = createLog({ write() {} });
  const advanceHours = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  const enterAddress = (email: string, perHour = 500) =>
    subscribe({ db: database.db, clock, log, perHour }, email);
  const readSubscribers = () => database.db.select().from(subscribers);
  const readMails = () => database.db.select().from(mails).orderBy(mails.dueAt);

  /** Renders the confirmation email in the same way as when it is sent. */
  async function renderMailTo(email: string) {
    const reader = (await readSubscribers()).find((each) => each.email === email);
    const texts = {
      heading: "The newsletter",
      confirmation: { subject: "Was it you?", question: "Was it?", button: "Yes", otherwise: "No" },
      already: { subject: "It comes already", text: "It comes." },
    };
    const brand = { shortName: "Paper", city: "Baltimore", origin: "https://paper.example" };
    const values = new Map<unknown, unknown>([
      [siteSettingsFile, { name: "The Paper", ...brand }],
      [lookFile, testLook],
      [contactFile, { address: { street: "1 Wharf", city: "Baltimore" } }],
      [newsletterFile, texts],
    ]);
    const site: SiteContent = {
      ...wholeCity,
      read: (file) => values.get(file) as never,
      readAll: () => [],
    };
    const mail = await renderConfirmationMail({ db: database.db, clock, site }, reader?.id ?? "");
    const [, link = "", token = ""] = /(https:\S+)\?token=(\S+)/.exec(mail?.text ?? "") ?? [];
    return { ...mail, link, token };
  }

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.db.delete(subscribers);
    await database.db.delete(mails);
  });
  afterAll(() => database.close());

  it("stores an address as pending and sends one confirmation email per day, no matter how often it is entered", async () => {
    await Promise.all([enterAddress("reader@example.com"), enterAddress("reader@example.com")]);
    advanceHours(23);
    await enterAddress("reader@example.com");
    expect(await readSubscribers()).toMatchObject([
      { email: "reader@example.com", state: "pending", createdAt: now },
    ]);
    expect(await readMails()).toHaveLength(1);
    advanceHours(2);
    await enterAddress("reader@example.com");
    expect(await readMails()).toHaveLength(2);
  });

  it("runs the same statements for an address that is new, pending or confirmed", async () => {
    const statements: string[] = [];
    const session = Reflect.get(database.db, "session");
    const prepare = session.prepareQuery;
    await enterAddress("pending@example.com");
    await enterAddress("confirmed@example.com");
    await confirmSubscription(
      database.db,
      clock,
      (await renderMailTo("confirmed@example.com")).token,
    );
    const statementsByEmail = new Map<string, string>();
    for (const email of ["new@example.com", "pending@example.com", "confirmed@example.com"]) {
      statements.length = 0;
      await database.db.transaction(async (tx) => {
        const inner = Object.getPrototypeOf(Reflect.get(tx, "session"));
        inner.prepareQuery = function (query: { sql: string }, ...rest: unknown[]) {
          statements.push(query.sql);
          return prepare.call(this, query, ...rest);
        };
        try {
          await subscribe({ db: tx, clock, log, perHour: 500 }, email);
        } finally {
          inner.prepareQuery = prepare;
        }
      });
      statementsByEmail.set(email, statements.join(";\n"));
    }
    expect(statements.length).toBeGreaterThanOrEqual(4);
    expect(new Set(statementsByEmail.values()).size).toBe(1);
  });

  it("limits confirmation emails per hour, lets the others wait, and refuses sign-ups when a day's worth is waiting", async () => {
    for (let index = 0; index < 5; index += 1) await enterAddress(`r${index}@example.com`, 2);
    expect(
      (await readMails()).map(({ dueAt }) => (dueAt.getTime() - now.getTime()) / 3_600_000),
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
    expect(await enterAddress("one-too-many@example.com", 2)).toEqual({
      email: expect.stringMatching(/^Too many/),
    });
    expect(await countSubscribers(database.db)).toEqual({ pending: 5, confirmed: 0 });
  });

  it("has a confirmation link that works once, within a week, and is stored only as a hash", async () => {
    await enterAddress("reader@example.com");
    const { token, link, headers } = await renderMailTo("reader@example.com");
    expect(link).toBe("https://paper.example/newsletter/confirm");
    expect(headers).toBeUndefined();
    expect(JSON.stringify([await readSubscribers(), await readMails()])).not.toContain(token);
    advanceHours(7 * 24);
    expect(await checkConfirmLink(database.db, clock, token)).toBe("expired");
    expect(await confirmSubscription(database.db, clock, token)).toBe("expired");

    const renewedMail = await renderMailTo("reader@example.com");
    expect(await confirmSubscription(database.db, clock, token)).toBe("unknown");
    expect(await checkConfirmLink(database.db, clock, renewedMail.token)).toBe("good");
    expect(await confirmSubscription(database.db, clock, renewedMail.token)).toBe("confirmed");
    expect(await confirmSubscription(database.db, clock, renewedMail.token)).toBe("used");
    expect(await readSubscribers()).toMatchObject([{ state: "confirmed", confirmedAt: now }]);
    for (const wrong of ["", "x", `${renewedMail.token}x`])
      expect(await confirmSubscription(database.db, clock, wrong)).toBe("unknown");
  });

  it("tells subscribers who sign up again that they are subscribed, but only by email", async () => {
    await enterAddress("reader@example.com");
    await confirmSubscription(database.db, clock, (await renderMailTo("reader@example.com")).token);
    const mail = await renderMailTo("reader@example.com");
    expect(mail.subject).toBe("It comes already");
    expect(mail.headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
  });

  it("deletes the address and all waiting emails after one click on Unsubscribe, or more clicks", async () => {
    await enterAddress("reader@example.com");
    await confirmSubscription(database.db, clock, (await renderMailTo("reader@example.com")).token);
    const { token } = await renderMailTo("reader@example.com");
    for (const wrong of ["", "x.y", token.slice(0, -1), `${token}.x`, token.replace(/^./, "g")])
      expect(await readUnsubscribeToken(database.db, wrong)).toBeNull();
    expect(await unsubscribe(database.db, token)).toBe(true);
    expect(await unsubscribe(database.db, token)).toBe(true);
    expect([await readSubscribers(), await readMails()]).toEqual([[], []]);
  });

  it("sends a reader who subscribes again one confirmation email the next day, and accepts the unsubscribe link of an old issue", async () => {
    const confirmAndRead = async () => {
      await confirmSubscription(
        database.db,
        clock,
        (await renderMailTo("reader@example.com")).token,
      );
      const { token } = await renderMailTo("reader@example.com");
      await database.db.update(mails).set({ state: "sent", doneAt: now });
      return token;
    };
    const first = now;
    await enterAddress("reader@example.com");
    const oldToken = await confirmAndRead();
    await unsubscribe(database.db, oldToken);
    advanceHours(2);
    await enterAddress("reader@example.com");
    await enterAddress("reader@example.com");
    const nextDay = new Date(first.getTime() + 24 * 3_600_000);
    expect(await readMails()).toMatchObject([
      { dueAt: first },
      { state: "waiting", dueAt: nextDay },
    ]);
    advanceHours(23);
    await confirmAndRead();
    advanceHours(3);
    await enterAddress("reader@example.com");
    expect(await readMails()).toHaveLength(2);
    expect(await readSubscribers()).toMatchObject([{ state: "confirmed" }]);
    expect(await unsubscribe(database.db, oldToken)).toBe(true);
    expect(await readSubscribers()).toEqual([]);
  });

  it("deletes an address that was not confirmed within 30 days, and any address immediately on request", async () => {
    await enterAddress("old@example.com");
    advanceHours(30 * 24 - 1);
    await enterAddress("recent@example.com");
    advanceHours(2);
    expect(await deleteUnconfirmed(database.db, clock)).toBe(1);
    expect((await readSubscribers()).map(({ email }) => email)).toEqual(["recent@example.com"]);
    // Emails to the newsroom stay, even if the newsroom has subscribed with the same address.
    const notice = {
      key: "contact:1",
      to: "recent@example.com",
      subject: "A message",
      text: "Hello.",
    };
    await queueMail(database.db, clock, notice);
    const newsletterMail = (await readMails()).find(
      ({ recipient, template }) => recipient === notice.to && template !== null,
    );
    expect(await deleteSubscriber(database.db, "recent@example.com")).toEqual({
      mails: [newsletterMail?.id],
    });
    expect(await deleteSubscriber(database.db, "recent@example.com")).toBeNull();
    expect(await readSubscribers()).toEqual([]);
    expect((await readMails()).filter(({ recipient }) => recipient === notice.to)).toMatchObject([
      { key: notice.key },
    ]);
  });
});
