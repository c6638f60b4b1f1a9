import { readFileSync } from "node:fs";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { blogFile, blogFolder } from "../../app/features/blog/files.server.ts";
import { blogPosts } from "../../app/features/blog/schema.server.ts";
import { contactFile } from "../../app/features/brand/contact-file.server.ts";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { lookFile } from "../../app/features/brand/look-file.server.ts";
import { embedsFile } from "../../app/features/embeds/files.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { meetingsFile, meetingsFolder } from "../../app/features/events/meetings/files.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { newsletterFile } from "../../app/features/newsletter/files.server.ts";
import {
  findIssue,
  renderIssueMail,
  storeIssue,
  unsubscribeBounced,
} from "../../app/features/newsletter/issues/issue.server.ts";
import {
  composeIssue,
  sendScheduledIssue,
} from "../../app/features/newsletter/issues/send.server.ts";
import { newsletterIssues, subscribers } from "../../app/features/newsletter/schema.server.ts";
import { neighborhoodsFile } from "../../app/features/places/files.server.ts";
import { stories } from "../../app/features/stories/feature.server.ts";
import { newsFolder, submitStoryFile } from "../../app/features/stories/files.server.ts";
import { createSafeFetch } from "../../app/lib/external/safe-fetch.server.ts";
import { createLog } from "../../app/lib/log.ts";
import type { SiteContent, SiteFile } from "../../app/site-files/site-file.server.ts";
import type { Database, OpenDatabase } from "../../db/database.ts";
import { features } from "../../server/features.ts";
import { readSite } from "../../server/site/site-files.ts";
import { createSiteContent } from "../../server/site/site-values.ts";
import { createPost } from "../support/blog-post.ts";
import { databaseKinds, openTestDatabase } from "../support/database.ts";
import { runInThisThread } from "../support/worker-pool.ts";

const files = [
  siteSettingsFile,
  lookFile,
  contactFile,
  newsletterFile,
  sectionsFile,
  embedsFile,
  neighborhoodsFile,
];

const readBaltimore = readSite("sites/baltimore", [
  ...files,
  blogFile,
  blogFolder,
  eventsFile,
  meetingsFile,
  meetingsFolder,
  eventsFolder,
  newsFolder,
  submitStoryFile,
]);

function parseFile(file: SiteFile<unknown>, source: string): [path: string, value: unknown] {
  const parsed = file.parse(source);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return [file.path, parsed.value];
}

const readShipped = (file: SiteFile<unknown>) =>
  parseFile(file, readFileSync(`sites/baltimore/${file.path}`, "utf8"));

const createStory = (id: string, date: string, settings = "") =>
  parseFile(
    newsFolder.file(`${id}.md`),
    `---
title: Title
excerpt: What it is about.
category: History
date: ${date}
image: { file: arabber.svg, alt: A horse }
${settings}
---
Text.
`,
  );

const createServices = (
  site: SiteContent,
  db: Database,
  clock: () => Date,
  wake: () => void = () => {},
) => ({
  site,
  db,
  clock,
  log: createLog({ write: () => {} }),
  fetch: createSafeFetch(),
  runInWorker: runInThisThread,
  tally: { count() {}, flush: async () => {} },
  leadsToPage: async () => false,
  mail: {
    kind: "files" as const,
    wake,
    sendDue: async () => {},
    deleteOld: async () => 0,
    deleteFiles: async () => {},
  },
});

describe.each(databaseKinds)("the scheduled newsletter on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    for (const table of [mails, subscribers, newsletterIssues, blogPosts])
      await database.db.delete(table);
  });
  afterAll(() => database?.close());

  it("is sent once to all confirmed subscribers, even if two nodes start to send it or a node is interrupted", async () => {
    const { db } = database;
    const site = await readBaltimore;
    let now = new Date("2026-11-20T11:59:00Z");
    let wakeCalls = 0;
    const services = createServices(
      site,
      db,
      () => now,
      () => (wakeCalls += 1),
    );
    const createSubscriber = (email: string, confirmedAt: string) => ({
      email,
      state: "confirmed" as const,
      createdAt: now,
      confirmedAt: new Date(confirmedAt),
    });
    const earlyReaders = Array.from({ length: 250 }, (_, index) =>
      createSubscriber(`r${index}@example.com`, "2026-11-19T12:00:00Z"),
    );
    await db.insert(subscribers).values(earlyReaders);
    await db
      .insert(subscribers)
      .values([
        createSubscriber("late@example.com", "2026-11-20T12:30:00Z"),
        { email: "pending@example.com", state: "pending", createdAt: now },
      ]);
    await db.insert(blogPosts).values(createPost("2026-11-18T12:00:00Z"));
    const listRecipients = async () =>
      (await db.select({ to: mails.recipient }).from(mails)).map(({ to }) => to).sort();
    const expected = earlyReaders.map(({ email }) => email).sort();

    await sendScheduledIssue(features, services);
    expect(await listRecipients()).toEqual([]);
    now = new Date("2026-11-20T12:31:00Z");
    await Promise.all([
      sendScheduledIssue(features, services),
      sendScheduledIssue(features, services),
    ]);
    expect(await listRecipients()).toEqual(expected);
    expect(wakeCalls).toBeGreaterThan(0);

    // The state after a crash: some emails are queued, and the issue is not finished.
    await db.update(newsletterIssues).set({ writtenAt: null });
    await db.delete(mails).where(inArray(mails.recipient, expected.slice(100)));
    now = new Date("2026-11-21T09:00:00Z");
    await sendScheduledIssue(features, services);
    await sendScheduledIssue(features, services);
    expect(await listRecipients()).toEqual(expected);
    expect(await db.select().from(newsletterIssues)).toMatchObject([
      { id: "2026-11-20", readers: 250 },
    ]);

    const [mail] = await db.select().from(mails).limit(1);
    const issueMail = await renderIssueMail(services, mail?.template ?? "", mail?.about ?? "");
    expect(issueMail?.headers?.["List-Id"]).toMatch(
      / <newsletter\.baltimore\.harborline\.example>$/,
    );
    expect(issueMail?.headers?.["List-Unsubscribe"]).toMatch(
      /^<https:\/\/baltimore\.harborline\.example\/newsletter\/unsubscribe\?token=/,
    );
    // No headline has arrived and all events are samples, so the newsletter has neither.
    expect(issueMail?.text).not.toContain("LOCAL HEADLINES");
    expect(issueMail?.text).not.toContain("/events/");
    expect(issueMail?.html).not.toMatch(/href="\//);
    await db.delete(subscribers).where(eq(subscribers.id, mail?.about ?? ""));
    expect(await renderIssueMail(services, mail?.template ?? "", mail?.about ?? "")).toBeNull();

    // On this Friday there is no headline, no new post and no real event.
    now = new Date("2030-01-04T12:31:00Z");
    await db.delete(mails);
    await sendScheduledIssue(features, services);
    await sendScheduledIssue(features, services);
    expect(await db.select().from(mails)).toMatchObject([
      {
        recipient: site.read(contactFile).email,
        subject: "The newsletter was not sent",
        text: expect.stringContaining("2030-01-04"),
      },
    ]);
    expect(await findIssue(db, "2030-01-04")).toBeNull();
  });

  it("contains the stories that subscribers do not know yet, and the corrections of those that they know", async () => {
    const { db } = database;
    const site = createSiteContent(
      new Map<string, unknown>([
        ...[...files, submitStoryFile].map(readShipped),
        createStory("older", "2026-11-12"),
        createStory("sample", "2026-11-19", "sample: true"),
        createStory("draft", "2026-11-19", "draft: true"),
        createStory("lamp", "2026-11-19 09:00"),
        // Saved after the first issue of that day was sent.
        createStory("wheel", "2026-11-20"),
        createStory(
          "market",
          "2026-11-18",
          "corrections: [{ date: 2026-11-21 10:00, text: It has six halls. }, { date: 2026-11-19, text: Before the issue. }]",
        ),
      ]),
    );
    const compose = async (day: string, at: string) => {
      const services = createServices(site, db, () => new Date(at));
      const contributors = [stories, { newsletter: headlines }];
      const issue = await composeIssue(contributors, services, day);
      if (issue)
        await storeIssue(db, services.clock, { id: day, confirmedBy: new Date(at), ...issue });
      return (issue?.text ?? "").match(/\/news\/\w+|It has six halls|Before the issue/g) ?? null;
    };
    const headlines = {
      section: "headlines" as const,
      gather: async () => [{ title: "A headline", link: "https://x.example/", line: "" }],
      more: { label: "All", path: "/local" },
    };
    // Without an earlier issue, it contains the stories of the last seven days.
    expect(await compose("2026-11-20", "2026-11-20T12:00:00Z")).toEqual([
      "/news/wheel",
      "/news/lamp",
      "/news/market",
    ]);
    await db
      .update(newsletterIssues)
      .set({ text: sql`replace(${newsletterIssues.text}, '/news/wheel', '')` });
    expect(await compose("2026-11-22", "2026-11-22T12:00:00Z")).toEqual([
      "/news/wheel",
      "It has six halls",
      "/news/market",
    ]);
    expect(await compose("2026-11-27", "2026-11-27T12:00:00Z")).toBeNull();
  });

  it("is no longer sent to readers for whom three issues in a row bounced, unless too many bounced", async () => {
    const { db } = database;
    const days = ["2026-11-06", "2026-11-13", "2026-11-20"];
    const noonOn = (day: string) => new Date(`${day}T12:00:00Z`);
    const content = { subject: "", text: "", html: "", readers: 40 };
    await db.insert(newsletterIssues).values(
      days.map((id) => ({
        id,
        ...content,
        confirmedBy: noonOn(id),
        createdAt: noonOn(id),
        writtenAt: noonOn(id),
      })),
    );
    type State = (typeof mails.$inferInsert)["state"];
    /** Adds subscribers who got an email with each issue. */
    const addSubscribers = async (emails: string[], confirmedAt: string, states: State[]) => {
      const readers = await db
        .insert(subscribers)
        .values(
          emails.map((email) => ({
            email,
            state: "confirmed" as const,
            createdAt: noonOn(confirmedAt),
            confirmedAt: noonOn(confirmedAt),
          })),
        )
        .returning({ id: subscribers.id, email: subscribers.email });
      await db.insert(mails).values(
        readers.flatMap(({ id, email }) =>
          states.map((state, index) => ({
            key: `${email}${index}`,
            recipient: email,
            about: id,
            state,
            attempts: 1,
            headers: {},
            subject: "",
            text: "",
            template: `issue:${days[index]}`,
            dueAt: noonOn(days[index] ?? ""),
            createdAt: noonOn(days[index] ?? ""),
            doneAt: noonOn(days[index] ?? ""),
          })),
        ),
      );
    };
    const listSubscribers = async () =>
      (await db.select().from(subscribers)).map(({ email }) => email).sort();
    const alwaysBounced: State[] = ["bounced", "bounced", "bounced"];
    await addSubscribers(["twice@example.com"], "2026-11-01", ["bounced", "refused", "bounced"]);
    await addSubscribers(["gone@example.com"], "2026-11-01", alwaysBounced);
    // This email address was confirmed again after the first email bounced.
    await addSubscribers(["back@example.com"], "2026-11-10", alwaysBounced);
    expect(await unsubscribeBounced(db)).toBe(1);
    expect(await listSubscribers()).toEqual(["back@example.com", "twice@example.com"]);
    expect(await unsubscribeBounced(db)).toBe(0);

    const crowd = Array.from({ length: 20 }, (_, index) => `x${index}@example.com`);
    await addSubscribers(crowd, "2026-11-01", alwaysBounced);
    expect(await unsubscribeBounced(db)).toBe(0);
    await db
      .delete(mails)
      .where(inArray(mails.recipient, ["x0@example.com", "x1@example.com", "x2@example.com"]));
    expect(await unsubscribeBounced(db)).toBe(17);
    expect(await listSubscribers()).toContain("x1@example.com");
  });
});
