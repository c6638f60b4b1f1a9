import { eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { blogFile, blogFolder } from "../../app/features/blog/files.server.ts";
import { brandFile } from "../../app/features/brand/files.server.ts";
import { contactFile } from "../../app/features/contact/files.server.ts";
import { digestLetter } from "../../app/features/digest/issue.server.ts";
import { digestIssues } from "../../app/features/digest/schema.server.ts";
import { embedsFile } from "../../app/features/embeds/files.server.ts";
import { eventsFile, eventsFolder } from "../../app/features/events/files.server.ts";
import { sectionsFile } from "../../app/features/feeds/files.server.ts";
import { mails } from "../../app/features/mail/schema.server.ts";
import { newsletterFile } from "../../app/features/newsletter/files.server.ts";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { createSafeFetch } from "../../app/lib/safe-fetch.server.ts";
import { sendScheduledDigest } from "../../server/digest.ts";
import { readSite } from "../../server/site-files.ts";
import { databaseKinds, testDatabase } from "../support/database.ts";

const files = [brandFile, contactFile, newsletterFile, sectionsFile, embedsFile];

describe.each(databaseKinds)("the letter by the clock on %s", (kind) => {
  it("goes to all who had confirmed, once, also when two nodes begin it or one is stopped in its middle", async () => {
    const { db, close } = await testDatabase(kind);
    const site = await readSite("sites/baltimore", [
      ...files,
      blogFile,
      blogFolder,
      eventsFile,
      eventsFolder,
    ]);
    let now = new Date("2026-11-20T11:59:00Z");
    let woken = 0;
    const services = {
      ...{ site, db, clock: () => now, log: createLog({ write: () => {} }), fetch: createSafeFetch() },
      mail: {
        kind: "files" as const,
        wake: () => (woken += 1),
        sweep: async () => {},
        forgetOld: async () => 0,
        discard: async () => {},
      },
    };
    const reader = (email: string, confirmedAt: string) => ({
      ...{ email, state: "confirmed" as const, createdAt: now, confirmedAt: new Date(confirmedAt) },
    });
    const early = Array.from({ length: 250 }, (_, index) =>
      reader(`r${index}@example.com`, "2026-11-19T12:00:00Z"),
    );
    await db.insert(subscribers).values(early);
    await db
      .insert(subscribers)
      .values([
        reader("late@example.com", "2026-11-20T12:30:00Z"),
        { email: "pending@example.com", state: "pending", createdAt: now },
      ]);
    const recipients = async () =>
      (await db.select({ to: mails.recipient }).from(mails)).map(({ to }) => to).sort();
    const expected = early.map(({ email }) => email).sort();

    await sendScheduledDigest(services);
    expect(await recipients()).toEqual([]);
    now = new Date("2026-11-20T12:31:00Z");
    await Promise.all([sendScheduledDigest(services), sendScheduledDigest(services)]);
    expect(await recipients()).toEqual(expected);
    expect(woken).toBeGreaterThan(0);

    // As a crash leaves it: some mails are written down, and the letter is not finished.
    await db.update(digestIssues).set({ writtenAt: null });
    await db.delete(mails).where(inArray(mails.recipient, expected.slice(100)));
    now = new Date("2026-11-21T09:00:00Z");
    await sendScheduledDigest(services);
    await sendScheduledDigest(services);
    expect(await recipients()).toEqual(expected);
    expect(await db.select().from(digestIssues)).toMatchObject([{ id: "2026-11-20", readers: 250 }]);

    const [mail] = await db.select().from(mails).limit(1);
    const origin = "https://x.example";
    const letter = await digestLetter(db, origin, mail?.template ?? "", mail?.about ?? "");
    expect(letter?.headers?.["List-Unsubscribe"]).toMatch(
      /^<https:\/\/x\.example\/newsletter\/unsubscribe\?token=/,
    );
    // No headline has arrived and all events are samples, so the newsletter has neither.
    expect(letter?.text).not.toContain("LOCAL HEADLINES");
    expect(letter?.text).not.toContain("/events/");
    expect(letter?.html).not.toMatch(/href="\//);
    await db.delete(subscribers).where(eq(subscribers.id, mail?.about ?? ""));
    expect(await digestLetter(db, origin, mail?.template ?? "", mail?.about ?? "")).toBeNull();
    await close();
  });
});
