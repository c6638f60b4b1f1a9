import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blogPosts } from "../../app/features/blog/schema.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import type { Caller } from "../../app/platform/command.ts";
import { openDatabase } from "../../db/client.ts";
import { createPost } from "../support/blog-post.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { runInServer } from "../support/newsroom.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { startSmtpServer, type TestSmtpServer } from "../support/smtp-server.ts";

const origin = "https://baltimore.harborline.example";
const crowdSize = 40;
/** How many connections to a mail server the site uses. */
const connectionCount = 4;
/** A Wednesday, on which no issue is sent automatically. */
const noon = "2026-11-18T17:00:00Z";
const afterRestart = "2026-11-18T18:00:00Z";
let folder: Awaited<ReturnType<typeof createDataFolder>> | undefined;
let smtp: TestSmtpServer;
let server: RunningServer;

beforeAll(async () => {
  folder = await createDataFolder();
  smtp = await startSmtpServer();
  const { db, close } = await openDatabase({ dataDir: folder.path, onError: console.error });
  const confirmedAt = new Date(noon);
  const readers = Array.from({ length: crowdSize }, (_, index) => ({
    email: `crowd${index}@example.com`,
    state: "confirmed" as const,
    createdAt: confirmedAt,
    confirmedAt,
  }));
  await db.insert(subscribers).values(readers);
  await db.insert(blogPosts).values(createPost("2026-11-17T12:00:00Z"));
  await close();
  server = await startWithSmtp(noon);
});
beforeEach(() => {
  smtp.behavior = () => "accept";
});
afterAll(async () => {
  await server?.stop();
  await smtp?.close();
  await folder?.remove();
});

const dataDir = () => folder?.path ?? "";
const startWithSmtp = (now: string) =>
  startServer({
    DATA_DIR: dataDir(),
    SMTP_URL: smtp.url,
    MAIL_FROM: "The Newsletter <newsletter@example.com>",
    FAKE_NOW: now,
  });

const newsroom = (...args: string[]) => newsroomWith(null, ...args);

const newsroomWith = (confirm: Caller["confirm"], ...args: string[]) =>
  runInServer(dataDir(), args, { cwd: dataDir(), confirm });

const postForm = (path: string, body: Record<string, string> = {}) =>
  fetch(server.url + path, { method: "POST", body: new URLSearchParams(body) });
const waitForMailTo = async (to: string) => {
  await expect.poll(() => smtp.accepted.some((mail) => mail.to === to)).toBe(true);
  return decode(smtp.accepted.findLast((mail) => mail.to === to)?.content ?? "");
};
/** Decodes quoted-printable, which breaks long lines. */
const decode = (content: string) => content.replaceAll("=\r\n", "").replaceAll("=3D", "=");
const findLink = (content: string, page: string) =>
  new RegExp(`${origin}(/newsletter/${page}\\?token=[\\w.-]+)`).exec(content)?.[1] ?? "";
const listSubscribers = async (): Promise<{ email: string; state: string }[]> =>
  JSON.parse((await newsroom("subscribers", "list", "--all", "--json")).output);
const readState = async (email: string) =>
  (await listSubscribers()).find((reader) => reader.email === email)?.state;
const countConfirmed = async () =>
  (await listSubscribers()).filter(({ state }) => state === "confirmed").length;

describe("the newsletter, with a real mail server", () => {
  it("can be subscribed to, is confirmed by a person but not by a program, and can be previewed before it is sent", async () => {
    await server.waitForOutput(`"event":"mail.destination","to":"${new URL(smtp.url).host}"`);
    const response = await postForm("/newsletter", { email: "Ann@Example.com" });
    expect(await response.text()).toContain("We are sending you an email.");
    const confirmation = await waitForMailTo("ann@example.com");
    expect(confirmation).toContain("From: The Newsletter <newsletter@example.com>");
    const link = findLink(confirmation, "confirm");

    // Programs that scan emails follow every link, and some of them send HEAD requests.
    for (const method of ["GET", "HEAD"])
      expect((await fetch(server.url + link, { method })).status).toBe(200);
    expect(await readState("ann@example.com")).toBe("pending");
    expect(await (await postForm(link)).text()).toContain("You are subscribed");
    expect(await (await postForm(link)).text()).toContain("You have already used this link");
    expect(await readState("ann@example.com")).toBe("confirmed");
    expect((await postForm("/newsletter/confirm?token=x")).status).toBe(422);

    const { output: preview } = await newsroom("newsletter", "preview", dataDir(), "--json");
    const { files, readers } = JSON.parse(preview);
    expect(readers).toBe(await countConfirmed());
    const html = await readFile(files.html, "utf8");
    expect(html).toContain("Good afternoon, Baltimore.");
    expect(html).toContain("100 Sample Wharf");
    expect(html).not.toMatch(/<img|<script|src=/);
    expect(await newsroom("newsletter", "send", "--test", "nobody")).toMatchObject({ code: 2 });
    expect(await newsroom("newsletter", "send", "--test", "editor@example.com")).toMatchObject({
      code: 0,
    });
    expect(await waitForMailTo("editor@example.com")).toContain(
      "Subject: Test: The week in Baltimore",
    );
  });

  it("reaches every subscriber once, even if the server is killed while sending, and can be unsubscribed from with a mail provider's own button", async () => {
    const subscriberCount = await countConfirmed();
    const unconfirmed = await newsroom("newsletter", "send");
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.output).toContain(`will be sent to ${subscriberCount} subscribers`);
    expect(unconfirmed.output).toContain("which is a sample. Set the site's URL");
    expect(unconfirmed.output).toContain("Nothing was sent");
    const refused = await newsroomWith(async () => false, "newsletter", "send");
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining("Nothing was sent."),
    });
    const findIssues = (mails: TestSmtpServer["accepted"]) =>
      mails.filter(({ content }) => content.includes("Subject: The week in Baltimore"));
    expect(findIssues(smtp.accepted)).toEqual([]);
    const noMailbox = "crowd7@example.com";
    const acceptedBefore = 10;
    // The mail server accepts some emails and then does not reply any more. The site's server is
    // killed when it waits for a reply on all connections.
    smtp.behavior = (to) => {
      if (to === noMailbox) return "refuse";
      return findIssues(smtp.accepted).length < acceptedBefore ? "accept" : "stall";
    };
    const sending = newsroomWith(async () => true, "newsletter", "send");
    const listStalled = () =>
      findIssues(smtp.received)
        .slice(acceptedBefore)
        .map(({ to }) => to);
    await expect.poll(listStalled).toHaveLength(connectionCount);
    const stalled = listStalled();
    server.process.kill("SIGKILL");
    expect((await sending).code).toBe(1);
    smtp.behavior = (to) => (to === noMailbox ? "refuse" : "accept");
    server = await startWithSmtp(afterRestart);
    const listUnclear = async (): Promise<string[]> => {
      const mails: { recipient: string; state: string }[] = JSON.parse(
        (await newsroom("mail", "list", "--json")).output,
      );
      return mails.filter(({ state }) => state === "unclear").map(({ recipient }) => recipient);
    };
    const { code, output } = await newsroom("newsletter", "send", "--yes", "--json");
    const { all, sent, waiting } = JSON.parse(output);
    expect({ all, sent, waiting }).toEqual({
      all: subscriberCount,
      sent: subscriberCount - 1 - connectionCount,
      waiting: 0,
    });
    expect(code).toBe(1);
    const recipients = findIssues(smtp.accepted).map(({ to }) => to);
    expect(new Set(recipients).size).toBe(recipients.length);
    // A person has to decide about the emails that were being sent at that moment.
    expect((await listUnclear()).sort()).toEqual(stalled.sort());
    expect(new Set([...recipients, ...stalled, noMailbox]).size).toBe(subscriberCount);
    expect((await newsroom("newsletter", "send")).output).toContain("was already sent to");
    expect(await newsroom("mail", "retry", "--unclear")).toMatchObject({ code: 0 });
    expect(await listUnclear()).toEqual([]);
    expect(findIssues(smtp.accepted)).toHaveLength(subscriberCount - 1);

    // Not crowd1 or crowd2, whom the next test needs.
    const issue = findIssues(smtp.accepted).find(({ to }) => to === "crowd9@example.com");
    const content = decode(issue?.content ?? "");
    expect(content.replaceAll("\r\n ", " ")).toContain(
      "List-ID: The Harborline newsletter <newsletter.baltimore.harborline.example>",
    );
    expect(content).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const link = findLink(content.replaceAll("\r\n ", ""), "unsubscribe");
    expect((await fetch(server.url + link)).status).toBe(200);
    expect(await readState(issue?.to ?? "")).toBe("confirmed");
    // A mail provider's button sends a different origin, or none.
    const pressUnsubscribe = (from: string) =>
      fetch(server.url + link, { method: "POST", headers: { Origin: from }, body: oneClick });
    const oneClick = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await pressUnsubscribe("null")).status).toBe(200);
    const response = await pressUnsubscribe("https://mail.example");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("your email address is deleted");
    expect(await readState(issue?.to ?? "")).toBeUndefined();
    expect((await postForm(`${link}x`)).status).toBe(422);
    expect(server.output()).not.toMatch(/token=|@example\.com/);
  });

  it("has subscribers that the newsroom can list, export and delete", async () => {
    const { file } = JSON.parse((await newsroom("subscribers", "export", "--json")).output);
    expect(dirname(file)).toBe(dataDir());
    expect(basename(file)).toMatch(/^subscribers-\d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(file, "utf8")).toMatch(
      /^"email","state","entered","confirmed"\r\n(".*\r\n)*"crowd1@example.com","confirmed"/,
    );
    for (const [args, message] of [
      [["subscribers", "export", file], `Could not write ${file}: file already exists.`],
      [
        ["subscribers", "export", "/no/such/x.csv"],
        "Could not write /no/such/x.csv: there is no such file or folder.",
      ],
      [["newsletter", "preview", file], ".html: a part of its path is a file, not a folder."],
      [["blog", "import", dataDir()], `Could not read ${dataDir()}: it is a folder.`],
    ] as const)
      expect(await newsroom(...args), args.join(" ")).toMatchObject({
        code: 1,
        output: expect.stringContaining(message),
      });
    expect((await newsroom("subscribers", "delete", "Crowd2@example.com")).output).toContain(
      "Deleted crowd2@example.com",
    );
    expect(await newsroom("subscribers", "delete", "crowd2@example.com")).toMatchObject({
      code: 1,
    });
    for (const args of [
      ["subscribers"],
      ["subscribers", "delete", "x"],
      ["mail", "retry"],
      ["newsletter", "sing"],
    ])
      expect(await newsroom(...args), args.join(" ")).toMatchObject({ code: 2 });
    expect(await newsroom("mail", "retry", "x")).toMatchObject({ code: 1 });
    smtp.behavior = () => "refuse";
    const refused = await newsroom("newsletter", "send", "--test", "editor@example.com");
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("bounced: ") });
    smtp.behavior = () => "accept";
    const { output } = await newsroom("mail", "list", "--json");
    const [firstMail]: { id: string; state: string }[] = JSON.parse(output);
    expect(await newsroom("mail", "retry", firstMail?.id ?? "", "x")).toMatchObject({
      code: 1,
      output: expect.stringContaining("editor@example.com: sent"),
    });
  });
});
