import { readdir, readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { databaseKinds, testDatabase } from "../../../tests/support/database.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { startSmtpServer, type TestSmtpServer } from "../../../tests/support/smtp-server.ts";
import { createLog } from "../../lib/log.ts";
import { countMails, deleteOldMails, listMails, retryMails } from "./list.server.ts";
import { openMailer } from "./mailer.server.ts";
import { createOutbox } from "./outbox.server.ts";
import { queueMail, queueTemplateMails } from "./queue.server.ts";
import { mails } from "./schema.server.ts";
import { type MailServices, retryDelayMs } from "./send.server.ts";
import { createSmtpTransport } from "./smtp.server.ts";
import type { Transport } from "./transport.server.ts";

describe.each(databaseKinds)("mail on %s", (kind) => {
  let database: OpenDatabase;
  let server: TestSmtpServer;
  let now = new Date("2026-11-15T12:00:00Z");
  const clock = () => now;
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const lines: string[] = [];

  const services = (transport: Transport): MailServices => ({
    db: database.db,
    clock,
    transport,
    log: createLog({ write: (line) => lines.push(line) }),
    sender: () => ({ name: "The Paper", address: "paper@example.com" }),
    async renderTemplate(template, about) {
      if (template === "broken") throw new Error("A file is being mended.");
      return template === "gone" ? null : { subject: template, text: about };
    },
  });
  const mailer = (isAlone = false) =>
    openMailer(services(createSmtpTransport(new URL(server.url))), isAlone);
  const sweep = async () => (await mailer()).sendDue();
  const queue = (to: string, more: { subject?: string; headers?: Record<string, string> } = {}) =>
    queueMail(database.db, clock, {
      key: `test:${to}`,
      to,
      subject: "Hello",
      text: "Words.\n.\nMore.",
      ...more,
    });
  const stateOf = async (to: string) =>
    (await database.db.select().from(mails).where(eq(mails.recipient, to)))[0];

  beforeAll(async () => {
    database = await testDatabase(kind);
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

  it("is sent once, however often it is asked for and by however many nodes", async () => {
    for (let index = 0; index < 12; index += 1) await queue(`r${index}@example.com`);
    await queue("r0@example.com", { headers: { "X-Link": "secret" } });
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(server.accepted.map(({ to }) => to).sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `r${index}@example.com`).sort(),
    );
    expect(server.accepted[0]?.content).toContain("Words.\r\n.\r\nMore.");
    const row = await stateOf("r0@example.com");
    expect(row).toMatchObject({ state: "sent", attempts: 1, claimedUntil: null });
    expect(row).toMatchObject({ subject: "", text: "", html: null, headers: {} });
    expect(server.accepted.find(({ to }) => to === "r0@example.com")?.content).toContain(
      `Message-ID: <${row?.id}@example.com>`,
    );
  });

  it("that is refused is not tried again, and one that must come back later is, until it is taken", async () => {
    server.behavior = (to) => (to.startsWith("no") ? "refuse" : "greylist");
    await queue("no@example.com");
    pass(1);
    await queue("grey@example.com");
    await sweep();
    expect(await stateOf("no@example.com")).toMatchObject({
      state: "bounced",
      fault: expect.stringContaining("550"),
    });
    expect(await stateOf("grey@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    // The newest is first, but for what needs a person.
    const listed = await listMails(database.db, { all: false, limit: 1 });
    expect(listed).toMatchObject([{ recipient: "no@example.com" }]);
    server.behavior = () => "accept";
    await sweep();
    expect(server.accepted).toEqual([]);
    pass(2);
    await sweep();
    expect(server.accepted.map(({ to }) => to)).toEqual(["grey@example.com"]);
    expect(lines.join("")).not.toContain("@example.com");
  });

  it("waits longer and longer while the server refuses us, or is not there, and is given up in the end", async () => {
    await queue("a@example.com");
    server.behavior = () => "refuse us";
    await sweep();
    expect(await stateOf("a@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    const nobody = await openMailer(
      services(createSmtpTransport(new URL("smtp://127.0.0.1:1"))),
      false,
    );
    pass(2);
    await nobody.sendDue();
    const fault = expect.stringContaining("ECONNREFUSED");
    expect(await stateOf("a@example.com")).toMatchObject({
      state: "waiting",
      attempts: 2,
      claimedUntil: null,
      fault,
    });
    expect(lines.join("")).toContain("mail.server_away");
    server.behavior = () => "accept";
    await sweep();
    expect(server.accepted).toHaveLength(0);
    pass(3);
    await sweep();
    expect(server.accepted).toHaveLength(1);

    await queue("old@example.com");
    pass(4 * 24 * 60 + 1);
    await queue("new@example.com");
    await nobody.sendDue();
    expect(await stateOf("old@example.com")).toMatchObject({
      state: "refused",
      doneAt: now,
      fault,
    });
    expect(await stateOf("new@example.com")).toMatchObject({
      state: "waiting",
      attempts: 1,
      fault,
    });
  });

  it("is sent again when the server dies in its middle, since that one was surely not taken", async () => {
    await queue("mid@example.com");
    server.behavior = () => "hang up";
    // Longer than a server of this machine can need to be seen gone.
    await (
      await openMailer(services(createSmtpTransport(new URL(server.url), 1_000)), false)
    ).sendDue();
    expect(await stateOf("mid@example.com")).toMatchObject({ state: "waiting", attempts: 1 });
    server.behavior = () => "accept";
    pass(2);
    await sweep();
    expect(server.accepted.map(({ to }) => to)).toEqual(["mid@example.com"]);
  });

  it("is never sent twice by itself when the server dies without an answer; a person may decide to", async () => {
    await queue("end@example.com");
    server.behavior = () => "silence";
    await sweep();
    server.behavior = () => "accept";
    pass(24 * 60);
    await sweep();
    const row = await stateOf("end@example.com");
    expect(row).toMatchObject({ state: "unclear" });
    expect(server.accepted).toEqual([]);
    expect(await retryMails(database.db, clock, "unclear")).toEqual([row?.id]);
    await sweep();
    expect(server.accepted).toHaveLength(1);
    expect(await retryMails(database.db, clock, [row?.id ?? ""])).toEqual([]);
  });

  it("that a process had in hand when it was killed is unclear; one that it had only taken goes on", async () => {
    for (const to of ["in-hand@example.com", "taken@example.com"]) await queue(to);
    const claimedUntil = new Date(now.getTime() + 60_000);
    await database.db.update(mails).set({ claimedUntil });
    await database.db
      .update(mails)
      .set({ state: "sending" })
      .where(eq(mails.recipient, "in-hand@example.com"));
    await sweep();
    expect(server.accepted).toEqual([]);
    await (await mailer(true)).sendDue();
    expect(server.accepted.map(({ to }) => to)).toEqual(["taken@example.com"]);
    expect(await stateOf("in-hand@example.com")).toMatchObject({ state: "unclear" });
  });

  it("cannot be given another header, another reader or another page by what somebody wrote", async () => {
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
    await sweep();
    expect(server.accepted.map(({ to }) => to)).toEqual(["one@example.com"]);
    const [head = ""] = (server.accepted[0]?.content ?? "").split("\r\n\r\n", 1);
    expect(head).not.toMatch(/^bcc:/im);
    expect(await countMails(database.db)).toMatchObject({ sent: 1, refused: 1 });
  });

  it("whose reader has left is not sent, and one whose words cannot be written does not hold up the rest", async () => {
    const about = "4b3c1f0e-5a77-4d0a-9a38-0f5a3c0d9c11";
    const mail = { about, dueAt: now };
    await queueTemplateMails(database.db, clock, [
      { ...mail, key: "1", to: "left@example.com", template: "gone" },
      { ...mail, key: "2", to: "waits@example.com", template: "broken" },
      { ...mail, key: "3", to: "there@example.com", template: "words" },
    ]);
    await sweep();
    expect(server.accepted.map(({ to }) => to)).toEqual(["there@example.com"]);
    expect(server.accepted[0]?.content).toContain(about);
    expect(await countMails(database.db)).toMatchObject({ sent: 1, waiting: 1 });
    expect(lines.join("")).toContain("mail.not_written");
  });

  it("without a server is a file, whole and only one, also when it is laid down again after a crash", async () => {
    const folder = await temporaryFolder();
    const files = async () =>
      (await openMailer(services(createOutbox(folder.path)), true)).sendDue();
    await queue("file@example.com");
    await files();
    await database.db.update(mails).set({ state: "sending", claimedUntil: now, text: "Words." });
    await files();
    const row = await stateOf("file@example.com");
    expect(row).toMatchObject({ state: "sent" });
    expect(await readdir(folder.path)).toEqual([`${row?.id}.eml`]);
    expect(await readFile(`${folder.path}/${row?.id}.eml`, "utf8")).toContain(
      "To: file@example.com",
    );
    await createOutbox(folder.path).deleteFiles([row?.id ?? ""]);
    expect(await readdir(folder.path)).toEqual([]);
    await folder.remove();
  });

  it("is forgotten a week after it was sent", async () => {
    await queue("old@example.com");
    await sweep();
    pass(7 * 24 * 60 - 1);
    expect(await deleteOldMails(database.db, clock)).toBe(0);
    pass(2);
    expect(await deleteOldMails(database.db, clock)).toBe(1);
  });
});

describe("the wait for the next try", () => {
  it("grows from a minute to four hours, and is a little different for each", () => {
    expect([1, 2, 5, 9, 25].map((attempt) => retryDelayMs(attempt, 0.5) / 60_000)).toEqual([
      1, 2, 16, 240, 240,
    ]);
    expect(retryDelayMs(1, 0)).toBeLessThan(retryDelayMs(1, 1));
  });
});
