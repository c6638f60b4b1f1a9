import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../db/database.ts";
import { databaseKinds, openTestDatabase } from "../../../../tests/support/database.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { storeMessage } from "../../contact/messages.server.ts";
import { contactMessages } from "../../contact/schema.server.ts";
import { storeEvent } from "../../events/receive-event.server.ts";
import { eventSubmissions } from "../../events/schema.server.ts";
import { deskMailings, hourCounts } from "../../forms/schema.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { officialAlertsFile } from "../../official-alerts/files.server.ts";
import { officialAlerts } from "../../official-alerts/schema.server.ts";
import { storeStory } from "../../stories/readers/submissions.server.ts";
import { storySubmissions } from "../../stories/schema.server.ts";
import { deskFile, type MailRhythm } from "../files.server.ts";
import {
  deleteOldMailings,
  findRecipients,
  mailWaitingAlerts,
  queueDueSummary,
} from "./queue.server.ts";
import { renderSubmissionsMail, renderSummaryMail } from "./render.server.ts";

const [ana, bo] = ["ana@example.com", "bo@example.com"];
const origin = "https://baltimore.harborline.example";
/** The files of the city, with a desk whose editors get emails in this rhythm. */
const shipped = await readShippedSite();
const withDesk = (mail: MailRhythm, emails: string[]): SiteContent => ({
  ...shipped,
  read: (file) =>
    (Object.is(file, deskFile)
      ? { mail, editors: emails.map((email) => ({ name: email, email })) }
      : shipped.read(file)) as never,
});

describe.each(databaseKinds)("emails to editors, on %s", (kind) => {
  let database: OpenDatabase;
  let now = new Date("2026-11-18T17:05:00Z");
  let site = withDesk("each", [ana, bo]);
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  beforeEach(async () => {
    now = new Date("2026-11-18T17:05:00Z");
    site = withDesk("each", [ana, bo]);
    for (const table of [
      mails,
      deskMailings,
      storySubmissions,
      eventSubmissions,
      contactMessages,
      hourCounts,
      officialAlerts,
    ])
      await database.db.delete(table);
  });
  afterAll(() => database.close());

  const clock = () => now;
  const services = () => ({ db: database.db, clock, site });
  const receiver = () => ({ ...services(), recipients: findRecipients(site) });
  const sendMessage = (text: string) =>
    storeMessage(
      receiver(),
      { category: "technical", name: "Cy", email: "cy@example.com", message: text },
      { categoryLabel: "Technical problem", topic: null },
      text,
      "",
    );
  const readQueue = () => database.db.select().from(mails).orderBy(mails.dueAt, mails.recipient);
  /** Renders all emails of an editor that are due, as when they are sent. */
  async function renderDue(editor: string) {
    const due = (await readQueue()).filter(
      ({ recipient, dueAt }) => recipient === editor && dueAt <= now,
    );
    return Promise.all(
      due.map(({ template, about }) =>
        template?.startsWith("desk:summary")
          ? renderSummaryMail(services(), editor)
          : renderSubmissionsMail(services(), editor, about ?? ""),
      ),
    );
  }

  it("contain the whole story with small images, and store none of it in the queue", async () => {
    const photo = await sharp({
      create: { width: 1_600, height: 900, channels: 3, background: "#2f6f7e" },
    })
      .webp()
      .toBuffer();
    const story = "First line.\nStill first <b>.\n\nhttps://evil.example Second.";
    await storeStory(
      receiver(),
      { title: "The cat\u202e of <Pier> 5", story, name: "Cy", email: "cy@example.com" },
      [{ width: 1_600, height: 900, alt: "A cat", bytes: photo }],
      "key",
      "",
    );
    const queue = await readQueue();
    expect(queue.map(({ recipient, subject, text }) => [recipient, subject + text])).toEqual([
      [ana, ""],
      [bo, ""],
    ]);
    const [mail] = await renderDue(bo);
    const [row] = await database.db.select().from(storySubmissions);
    expect(mail).toMatchObject({
      subject: "A reader submitted a story (12:05 PM)",
      headers: { "Reply-To": "cy@example.com" },
    });
    expect(mail?.text).toMatch(/^The cat of <Pier> 5\nA reader submitted a story, Nov 18/);
    expect(mail?.text).not.toContain("At the desk, you answer");
    expect(mail?.text).toContain(
      "> First line.\n> Still first <b>.\n> \n> https://evil.example Second.",
    );
    expect(mail?.text).toContain("[Photo: A cat]\n");
    expect(mail?.text).toContain(`${origin}/desk/waiting/story/${row?.id}`);
    expect(mail?.html).toContain("First line.<br>Still first &lt;b&gt;.</p>");
    expect(mail?.html).toContain('<img src="cid:image-1" width="480" height="270" alt="A cat"');
    const [image] = mail?.images ?? [];
    expect(await sharp(image?.jpeg).metadata()).toMatchObject({ format: "jpeg", width: 480 });
  });

  it("come every half hour as one email with all that still waits, if the city wants that", async () => {
    site = withDesk("half-hourly", [ana, bo]);
    await sendMessage("The first message");
    now = new Date("2026-11-18T17:29:59Z");
    await storeEvent(
      { ...receiver(), timeZone: "America/New_York" },
      {
        title: "Lantern walk",
        location: "Pier 5",
        day: "2026-12-01",
        starts: "17:00",
        ends: "18:00",
        category: "Music",
        free: "on",
        description: "Bring a lantern.",
        url: "",
        name: "",
        email: "",
        consent: "on",
      },
      "event",
    );
    await sendMessage("An answered message");
    await database.db
      .update(contactMessages)
      .set({ state: "done" })
      .where(eq(contactMessages.message, "An answered message"));
    expect(await renderDue(ana)).toEqual([]);
    now = new Date("2026-11-18T17:30:00Z");
    const [mail, ...others] = await renderDue(ana);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("2 new submissions");
    expect(mail?.text).toContain("> The first message");
    expect(mail?.text).toContain("When: December 1, 2026, 5:00 PM – 6:00 PM");
    expect(mail?.text).toContain("Category: Music, free");
    expect(mail?.text).not.toContain("answered");

    // What arrives after an editor's copy was rendered is in the next email, for everybody.
    now = new Date("2026-11-18T17:29:59Z");
    await sendMessage("A late message");
    now = new Date("2026-11-18T17:30:00Z");
    const subjects = (await renderDue(bo)).map((each) => each?.subject);
    expect(subjects.toSorted()).toEqual([
      "2 new submissions",
      "A reader's message: Technical problem (12:29 PM)",
    ]);
  });

  it("come together if many submissions arrive, and do not reach an editor who was removed", async () => {
    for (let index = 0; index < 33; index++) await sendMessage(`Message ${index}`);
    expect(await renderDue(ana)).toHaveLength(30);
    now = new Date("2026-11-18T17:10:00Z");
    const collected = (await renderDue(ana)).at(-1);
    expect(collected?.subject).toBe("3 new submissions");
    expect(collected?.headers).toEqual({});
    site = withDesk("each", [ana]);
    expect((await renderDue(bo)).every((mail) => mail === null)).toBe(true);
  });

  it("name an official alert that waits, once when it arrives and in the summary", async () => {
    const alert = {
      key: "1",
      messageId: "1",
      isListed: true,
      event: "Frost Advisory",
      headline: "Frost Advisory until 9 AM",
      description: "",
      instruction: "",
      area: "Baltimore City",
      sender: "NWS",
      sentAt: now,
      endsAt: new Date("2026-11-20T14:00:00Z"),
      decision: null,
    };
    const [severity = "Minor"] = shipped.read(officialAlertsFile)?.ask ?? [];
    await database.db.insert(officialAlerts).values({ ...alert, severity });
    let wakes = 0;
    const mail = {
      wake() {
        wakes += 1;
      },
    };
    const tell = () => mailWaitingAlerts({ ...services(), mail });
    await tell();
    await tell();
    expect(wakes).toBe(1);
    expect((await readQueue()).map(({ recipient, text }) => [recipient, text])).toEqual([
      [ana, expect.stringMatching(/^Frost Advisory until 9 AM\n.*\/desk\/alerts\n$/s)],
      [bo, expect.stringContaining("Frost Advisory until 9 AM")],
    ]);
    await database.db.delete(mails);
    now = new Date("2026-11-19T13:00:00Z");
    expect(await queueDueSummary(services())).toBe("queued");
    const summary = (await renderDue(ana)).at(-1);
    expect(summary?.subject).toBe("1 official alert waits for an editor");
    expect(summary?.text).toContain(`${origin}/desk/alerts`);
  });

  it("sum up at 8 AM what still waits, once and only if something does", async () => {
    const at = (instant: string) => {
      now = new Date(instant);
      return queueDueSummary(services());
    };
    expect(await at("2026-11-19T13:00:00Z")).toBe("nothing");
    await sendMessage("After the summary of a day without any");
    expect(await at("2026-11-19T13:01:00Z")).toBe("nothing");
    expect(await at("2026-11-20T12:59:00Z")).toBe("nothing");
    expect(await at("2026-11-20T18:00:00Z")).toBe("nothing");
    expect(await at("2026-11-21T13:00:00Z")).toBe("queued");
    expect(await at("2026-11-21T13:01:00Z")).toBe("nothing");
    const summary = (await renderDue(ana)).at(-1);
    expect(summary?.subject).toBe("1 submission waits for an editor");
    expect(summary?.text).toContain(`${origin}/desk/waiting/message/`);
    expect(summary?.text).not.toContain("After the summary");
    await database.db.delete(contactMessages);
    expect((await renderDue(ana)).at(-1)).toBeNull();
    site = shipped;
    expect(await at("2026-11-22T13:00:00Z")).toBe("nothing");
    now = new Date("2026-11-29T13:00:00Z");
    expect(await deleteOldMailings(database.db, clock)).toBe(3);
  });
});
