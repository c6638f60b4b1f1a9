import { eq } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { lockRow } from "../../../db/rows.ts";
import { calendarDay } from "../../lib/dates.ts";
import { cacheTags, purgePages } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { BriefServices } from "./gather.server.ts";
import { type BriefContent, dailyBriefs } from "./schema.server.ts";

const { day } = dailyBriefs;

/** The row of today stays, without content, because otherwise the server would make it again. */
export function removeBrief({ db, site, clock }: BriefServices, ofDay: string): Promise<boolean> {
  const today = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  return db.transaction(async (tx) => {
    const stored = (await lockRow(tx, dailyBriefs, eq(day, ofDay)))?.content;
    if (!stored || stored.isRemoved) return false;
    if (ofDay === today) {
      const content: BriefContent = {
        headlines: [],
        goodToKnow: [],
        areEventsToday: false,
        events: [],
        meetings: [],
        stories: [],
        fact: null,
        removedLinks: stored.removedLinks,
        isRemoved: true,
      };
      await tx.update(dailyBriefs).set({ content, hasNews: false }).where(eq(day, ofDay));
    } else await tx.delete(dailyBriefs).where(eq(day, ofDay));
    await purgePages(tx, [cacheTags.brief]);
    return true;
  });
}

/** `hasNews` says whether the brief then still has something besides samples. */
export function removeHeadline(
  db: Database,
  ofDay: string,
  link: string,
  { hasNews }: { hasNews: boolean },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const stored = (await lockRow(tx, dailyBriefs, eq(day, ofDay)))?.content;
    const headlines = stored?.headlines.filter((headline) => headline.link !== link) ?? [];
    if (!stored || headlines.length === stored.headlines.length) return false;
    const content: BriefContent = {
      ...stored,
      headlines,
      removedLinks: [...stored.removedLinks, link],
    };
    await tx.update(dailyBriefs).set({ content, hasNews }).where(eq(day, ofDay));
    await purgePages(tx, [cacheTags.brief]);
    return true;
  });
}
