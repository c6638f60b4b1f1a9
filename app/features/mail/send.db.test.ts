import { readdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../tests/support/database.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { startSmtpServer, type TestSmtpServer } from "../../../tests/support/smtp-server.ts";
import { createLog } from "../../lib/log.ts";
import { mailFindings } from "./feature.server.ts";
import { createMailer } from "./mailer.server.ts";
import { createOutbox } from "./outbox.server.ts";
import { queueMail, queueTemplateMails } from "./queue.server.ts";
import { mails } from "./schema.server.ts";
import type { MailServices } from "./send.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";
import { countMails, deleteOldMails, listMails, retryMails } from "./stored-mails.server.ts";
import type { Transport } from "./transport.server.ts";

describe.each(databaseKinds)("an email on %s", (kind) => {
  let database: OpenDatabase;
  let server: TestSmtpServer;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const advanceMinutes = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const lines: string[] = [];

  const createServices = (transport: Transport): MailServices => ({
    db: database.db,
    clock,
    transport,
    outbox: createOutbox("none"),
    log: createLog({ write: (line) => lines.push(line) }),
    sender: () => ({ name: "The Paper", address: "paper@example.com" }),
    async renderTemplate({ template, about }) {
      if (template === "broken") throw new Error("A site file has a mistake.");
      return template === "gone" ? null : { subject: template, text: about };
    },
  });
  const createSmtpMailer = (isOnlySender = false) =>
    createMailer(createServices(createSmtpTransport(new URL(server.url))), isOnlySender);
  const sendDue = async () => createSmtpMailer().sendDue();
  const queue = (
    to: string,
    overrides: { subject?: string; headers?: Record<string, string> } = {},
  ) =>
    queueMail(database.db, clock, {
      key: `test:${to}`,
      to,
      subject: "Hello",
      text: "Words.\n.\nMore.",
      ...overrides,
    });
  const readMail = async (to: string) =>
    (await database.db.select().from(mails).where(eq(mails.recipient, to)))[0];

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    server = await startSmtpServer();
  });
  beforeEach(async () => {
    await database.db.delete(mails);
    server.behavior = () => "accept";
    server.accepted.length = 0;
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  it("is sent once, even if it is queued twice and several nodes send", async () => {
    for (let index = 0; index < 12; index += 1) await queue(`r${index}@example.com`);
    await queue("r0@example.com", { headers: { "X-Link": "secret" } });
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    expect(server.accepted.map(({ to }) => to).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `r${index}@example.com`).sort(),
    );
    expect(server.accepted[0]?.content).toContain("Words.\r\n.\r\nMore.");
    const row = await readMail("r0@example.com");
    expect(row).toMatchObject({ state: "sent", attempts: 1, claimedUntil: null });
    expect(row).toMatchObject({ subject: "", text: "", html: null, headers: {} });
    expect(server.accepted.find(({ to }) => to === "r0@example.com")?.content).toContain(
      `Message-ID: <${row?.id}@example.com>`,
    );
  });

  it("is not retried if it is refused, but is retried until it is accepted if the server asks to try later", async () => {
    server.behavior = (to) => (to.startsWith("no") ? "refuse" : "greylist");
    await queue("no@example.com");
    advanceMinutes(1);
    await queue("grey@example.com");
    await sendDue();
    expect(await readMail("no@example.com")).toMatchObject({
      state: "bounced",
      error: expect.stringContaining("550"),
    });
    expect(await readMail("grey@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    // Emails that need a person come first, then the newest.
    const listed = await listMails(database.db, { all: false, limit: 1 });
    expect(listed).toMatchObject([{ recipient: "no@example.com" }]);
    // Doctor uses the same terms as the list.
    const [, finding] = await mailFindings(database.db, undefined);
    expect(finding?.message).toContain("0 refused, 1 bounced, 0 unclear");
    server.behavior = () => "accept";
    await sendDue();
    expect(server.accepted).toEqual([]);
    advanceMinutes(2);
    await sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["grey@example.com"]);
    expect(lines.join("")).not.toContain("@example.com");
  });

  it("is retried after longer and longer delays while the server refuses us or is unreachable, and is finally given up", async () => {
    await queue("a@example.com");
    server.behavior = () => "refuse us";
    await sendDue();
    expect(await readMail("a@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    const unreachable = createMailer(
      createServices(createSmtpTransport(new URL("smtp://127.0.0.1:1"))),
      false,
    );
    advanceMinutes(2);
    await unreachable.sendDue();
    const error = expect.stringContaining("ECONNREFUSED");
    expect(await readMail("a@example.com")).toMatchObject({
      state: "waiting",
      attempts: 2,
      claimedUntil: null,
      error,
    });
    expect(lines.join("")).toContain("mail.server_unreachable");
    server.behavior = () => "accept";
    await sendDue();
    expect(server.accepted).toHaveLength(0);
    advanceMinutes(3);
    await sendDue();
    expect(server.accepted).toHaveLength(1);

    await queue("old@example.com");
    advanceMinutes(4 * 24 * 60 + 1);
    await queue("new@example.com");
    await unreachable.sendDue();
    expect(await readMail("old@example.com")).toMatchObject({
      state: "refused",
      doneAt: now,
      error,
    });
    expect(await readMail("new@example.com")).toMatchObject({
      state: "waiting",
      attempts: 1,
      error,
    });
  });

  it("waits a minute to four hours for the next attempt, with some random variation", async () => {
    const minutes = new Map([
      [0, 1],
      [1, 2],
      [4, 16],
      [8, 240],
      [23, 240],
    ]);
    for (const attempts of minutes.keys()) {
      await queue(`${attempts}@example.com`);
      const isQueued = eq(mails.recipient, `${attempts}@example.com`);
      await database.db.update(mails).set({ attempts }).where(isQueued);
    }
    await createMailer(
      createServices(createSmtpTransport(new URL("smtp://127.0.0.1:1"))),
      false,
    ).sendDue();
    for (const [attempts, delay] of minutes) {
      const mail = await readMail(`${attempts}@example.com`);
      const waits = ((mail?.dueAt.getTime() ?? 0) - now.getTime()) / 60_000 / delay;
      expect([waits >= 0.75, waits <= 1.25], `${attempts} attempts`).toEqual([true, true]);
    }
  });

  it("is sent again if the server dies in the middle, because the first attempt was certainly not accepted", async () => {
    await queue("mid@example.com");
    server.behavior = () => "hang up";
    // Long enough to notice that a server on this machine is gone.
    const impatient = createSmtpTransport(new URL(server.url), 1_000);
    await createMailer(createServices(impatient), false).sendDue();
    expect(await readMail("mid@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    server.behavior = () => "accept";
    advanceMinutes(2);
    await sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["mid@example.com"]);
  });

  it("is never resent automatically if the server dies without a response, but a person may resend it", async () => {
    await queue("end@example.com");
    server.behavior = () => "silence";
    await sendDue();
    server.behavior = () => "accept";
    advanceMinutes(24 * 60);
    await sendDue();
    const row = await readMail("end@example.com");
    expect(row).toMatchObject({ state: "unclear" });
    expect(server.accepted).toEqual([]);
    expect(await retryMails(database.db, clock, "unclear")).toEqual([row?.id]);
    await sendDue();
    expect(server.accepted).toHaveLength(1);
    expect(await retryMails(database.db, clock, [row?.id ?? ""])).toEqual([]);
  });

  it("is unclear if its process was killed while sending it, and is sent if the process had only claimed it", async () => {
    for (const to of ["sending@example.com", "claimed@example.com"]) await queue(to);
    const claimedUntil = new Date(now.getTime() + 60_000);
    await database.db.update(mails).set({ claimedUntil });
    await database.db
      .update(mails)
      .set({ state: "sending" })
      .where(eq(mails.recipient, "sending@example.com"));
    await sendDue();
    expect(server.accepted).toEqual([]);
    await createSmtpMailer(true).sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["claimed@example.com"]);
    expect(await readMail("sending@example.com")).toMatchObject({ state: "unclear" });
  });

  it("is sent by the next run if an unexpected error ends this one", async () => {
    for (const to of ["one@example.com", "two@example.com"]) await queue(to);
    const transport = createSmtpTransport(new URL(server.url));
    const open = () => Promise.reject(new Error("Nobody expected this."));
    const failing = createMailer(createServices({ ...transport, open }), false);
    await expect(failing.sendDue()).rejects.toThrow("Nobody expected this.");
    await sendDue();
    expect(server.accepted.map(({ to }) => to).sort()).toEqual([
      "one@example.com",
      "two@example.com",
    ]);
  });

  it("cannot get an extra header or recipient from text that a reader typed", async () => {
    const headers = { "X-Note\r\nBcc: a@evil.example": "x\r\nBcc: b@evil.example" };
    await queue("one@example.com", {
      subject: "Hi\r\nBcc: c@evil.example\r\n\r\n<b>x</b>",
      headers,
    });
    await queueMail(database.db, clock, {
      key: "two",
      to: "a@example.com, b@evil.example",
      subject: "",
      text: "",
    });
    await sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["one@example.com"]);
    const [head = ""] = (server.accepted[0]?.content ?? "").split("\r\n\r\n", 1);
    expect(head).not.toMatch(/^bcc:/im);
    expect(await countMails(database.db)).toMatchObject({ sent: 1, refused: 1 });
  });

  it("is not sent to a reader who has unsubscribed, and does not block other emails if it cannot be rendered", async () => {
    const about = "4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11";
    const mail = { about, dueAt: now };
    await queueTemplateMails(database.db, clock, [
      { ...mail, key: "1", to: "unsubscribed@example.com", template: "gone" },
      { ...mail, key: "2", to: "waits@example.com", template: "broken" },
      { ...mail, key: "3", to: "there@example.com", template: "words" },
    ]);
    // An email with a template has no text of its own, so without this it has none at all.
    await queue("nothing@example.com");
    await database.db
      .update(mails)
      .set({ template: "words", about: null, text: "" })
      .where(eq(mails.recipient, "nothing@example.com"));
    await sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["there@example.com"]);
    expect(server.accepted[0]?.content).toContain(about);
    expect(await countMails(database.db)).toMatchObject({ sent: 1, waiting: 1 });
    expect(lines.join("")).toContain("mail.not_rendered");
  });

  it("is one complete file if there is no mail server, even if it is written again after a crash", async () => {
    const folder = await temporaryFolder();
    const sendToFiles = async () =>
      createMailer(createServices(createOutbox(folder.path)), true).sendDue();
    await queue("file@example.com");
    await sendToFiles();
    await database.db.update(mails).set({ state: "sending", claimedUntil: now, text: "Words." });
    await sendToFiles();
    const row = await readMail("file@example.com");
    expect(row).toMatchObject({ state: "sent" });
    expect(await readdir(folder.path)).toEqual([`${row?.id}.eml`]);
    expect(await readFile(`${folder.path}/${row?.id}.eml`, "utf8")).toContain(
      "To: file@example.com",
    );
    await createOutbox(folder.path).deleteFiles([row?.id ?? ""]);
    expect(await readdir(folder.path)).toEqual([]);
    await folder.remove();
  });

  it("is deleted a week after it was sent", async () => {
    await queue("old@example.com");
    await sendDue();
    advanceMinutes(7 * 24 * 60 - 1);
    expect(await deleteOldMails(database.db, clock)).toBe(0);
    advanceMinutes(2);
    expect(await deleteOldMails(database.db, clock)).toBe(1);
  });

  it("counts once when it is deleted, also if it was written to a file", async () => {
    const folder = await temporaryFolder();
    const outbox = createOutbox(folder.path);
    const mailer = await createMailer({ ...createServices(outbox), outbox }, true);
    await queue("counted@example.com");
    await mailer.sendDue();
    const [file = ""] = await readdir(folder.path);
    await utimes(join(folder.path, file), now, now);
    advanceMinutes(7 * 24 * 60 + 1);
    expect([await mailer.deleteOld(), await readdir(folder.path)]).toEqual([1, []]);
    await folder.remove();
  });
});
