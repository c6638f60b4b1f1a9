import { describe, expect, it } from "vitest";
import { blogImages } from "../../app/features/blog/schema.server.ts";
import { calendarSources } from "../../app/features/events/import/schema.server.ts";
import { feedItems, feedSources, headlines } from "../../app/features/feeds/schema.server.ts";
import { newsletterIssues } from "../../app/features/newsletter/issues/schema.server.ts";
import { storyImages, storySubmissions } from "../../app/features/stories/readers/schema.server.ts";
import { findIncompatibility, load } from "../../db/backup/dump.ts";
import { checkBackup, readRows } from "../../server/newsroom/backup/backup.ts";
import { databaseKinds, openTestDatabase } from "../support/database.ts";

/**
 * A real backup with one row in each table that migration 0013 changed. Commit a1c6c89, the last
 * version before that migration, made it from PGlite with `writeBackup`.
 */
const file = "tests/fixtures/backup-before-migration-0013.tar.gz";
const sixUtc = new Date("2026-11-15T06:00:00Z");
const sevenUtc = new Date("2026-11-15T07:00:00Z");

describe.each(databaseKinds)(
  "a backup from before tables and columns were renamed, restored on %s",
  (kind) => {
    it("fills the tables and columns with their current names", async () => {
      const checked = await checkBackup(file);
      if (!checked.ok) throw new Error(checked.reason);
      const { manifest } = checked;
      const { db, close } = await openTestDatabase(kind);
      expect(await findIncompatibility(db, manifest)).toBeNull();
      await load(db, manifest.tables, readRows(file), () => {});

      const [image] = await db.select().from(blogImages);
      expect(image).toMatchObject({ url: "https://a.example/crab.webp", type: "image/webp" });
      expect([...(image?.bytes ?? [])]).toEqual([1, 2, 3]);

      const [story] = await db.select().from(storySubmissions);
      const [storyImage] = await db.select().from(storyImages);
      expect(storyImage).toMatchObject({ story: story?.id, position: 1, alt: "A pier" });
      expect([...(storyImage?.bytes ?? [])]).toEqual([4, 5]);

      expect(await db.select().from(newsletterIssues)).toMatchObject([
        { id: "2026-11-13", subject: "This week", createdAt: sixUtc },
      ]);

      const [headline] = await db.select().from(headlines);
      expect(headline).toMatchObject({ title: "Crabs return" });
      expect(await db.select().from(feedItems)).toMatchObject([
        { sourceId: "brew", key: "1", headlineId: headline?.id, title: "Crabs return" },
      ]);

      expect(await db.select().from(feedSources)).toMatchObject([
        { id: "brew", lastSuccessAt: sixUtc, nextAttemptAt: sevenUtc },
      ]);
      expect(await db.select().from(calendarSources)).toMatchObject([
        { id: "library", lastSuccessAt: sixUtc, nextAttemptAt: sevenUtc },
      ]);
      await close();
    });
  },
);
