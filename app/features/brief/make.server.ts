import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows, lockRow } from "../../../db/rows.ts";
import { addDays, calendarDay } from "../../lib/dates.ts";
import { noPage, type Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { createEventLookup, findEvents } from "../events/listing/gather.server.ts";
import { eventsPath } from "../events/model.ts";
import {
  addNewStories,
  type BriefServices,
  gatherBrief,
  isFresh,
  minHeadlines,
} from "./gather.server.ts";
import { briefRetentionDays, findDueDay } from "./model.ts";
import { type BriefContent, dailyBriefs } from "./schema.server.ts";

/**
 * How long headlines are added to a brief that has too few. A server that was down at seven makes
 * its brief when it starts, before it has fetched the headlines of the morning.
 */
const completionMs = 60 * 60_000;

const { day, content, updatedAt } = dailyBriefs;

/**
 * Makes or completes the brief of today when it is due. Several nodes may call this at the same
 * moment. Runs every minute, and when the server starts.
 */
export async function makeDueBrief(services: BriefServices) {
  const { db, site, clock, log } = services;
  const now = clock();
  const dueDay = findDueDay(now, site.read(siteSettingsFile).timeZone);
  if (dueDay === null) return "nothing";
  const [stored] = await db.select().from(dailyBriefs).where(eq(day, dueDay));
  if (!stored) {
    const brief = await gatherBrief(services);
    // A new city may have nothing to say yet, and readers would get an empty page.
    const isMade = !isEmpty(brief.content) && (await insertBrief(db, dueDay, brief, now));
    if (isMade) log.info("brief.made", { day: dueDay });
    return isMade ? "made" : "nothing";
  }
  const ageMs = now.getTime() - stored.createdAt.getTime();
  if (stored.content.isRemoved) return "nothing";
  const brief =
    (await addHeadlines(services, stored.content, ageMs)) ??
    (await addNewStories(services, stored.content, dueDay));
  if (!brief) return "nothing";
  const isCompleted = await replaceBrief(db, dueDay, brief, now, stored.updatedAt);
  if (isCompleted) log.info("brief.completed", { day: dueDay });
  return isCompleted ? "completed" : "nothing";
}

const isEmpty = ({ headlines, goodToKnow, events, meetings, stories, fact }: BriefContent) =>
  !fact && [headlines, goodToKnow, events, meetings, stories].every((items) => items.length === 0);

/** Gathers a young brief with few headlines again. Returns null if it would not have more. */
async function addHeadlines(services: BriefServices, stored: BriefContent, ageMs: number) {
  const now = services.clock();
  const storedCount = countFresh(stored, now);
  if (ageMs >= completionMs || storedCount >= minHeadlines) return null;
  const brief = await gatherBrief(services, stored.removedLinks);
  return countFresh(brief.content, now) > storedCount ? brief : null;
}

const countFresh = ({ headlines }: BriefContent, now: Date) =>
  headlines.filter((headline) => isFresh(headline, now)).length;

type GatheredBrief = Awaited<ReturnType<typeof gatherBrief>>;

/** Returns false if another node has already stored the brief of this day. */
const insertBrief = (db: Database, briefDay: string, brief: GatheredBrief, now: Date) =>
  db.transaction(async (tx) => {
    const inserted = await tx
      .insert(dailyBriefs)
      .values({ day: briefDay, ...brief, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ day });
    if (inserted.length > 0) await purge(tx, [cacheTags.brief]);
    return inserted.length > 0;
  });

/**
 * Replaces the brief that was stored at `replacedTime`, and returns false if it was changed or
 * removed since. If `replacedTime` is null, replaces any brief, even a removed one.
 */
const replaceBrief = (
  db: Database,
  briefDay: string,
  brief: GatheredBrief,
  now: Date,
  replacedTime: Date | null,
) =>
  db.transaction(async (tx) => {
    const stored = await lockRow(tx, dailyBriefs, eq(day, briefDay));
    if (!stored) return false;
    // An editor or another node may have changed the brief while this one was gathered.
    const { isRemoved, removedLinks } = stored.content;
    const isChanged = isRemoved || stored.updatedAt.getTime() !== replacedTime?.getTime();
    if (replacedTime && isChanged) return false;
    const headlines = brief.content.headlines.filter(({ link }) => !removedLinks.includes(link));
    await tx
      .update(dailyBriefs)
      .set({ ...brief, updatedAt: now, content: { ...brief.content, headlines, removedLinks } })
      .where(eq(day, briefDay));
    await purge(tx, [cacheTags.brief]);
    return true;
  });

/**
 * Makes today's brief even before it is due. Returns null if the brief exists, unless `again` is
 * true. `onMade` runs in the transaction that stores it.
 */
export async function makeBriefNow(
  services: BriefServices,
  { again }: { again: boolean },
  onMade: (
    tx: Database,
    made: { day: string; isNew: boolean },
  ) => Promise<unknown> = async () => {},
): Promise<string | null> {
  const { db, site, clock } = services;
  const now = clock();
  const today = calendarDay(now, site.read(siteSettingsFile).timeZone);
  const [stored] = await db.select({ content }).from(dailyBriefs).where(eq(day, today));
  if (stored && !again) return null;
  const brief = await gatherBrief(services, stored?.content.removedLinks);
  return db.transaction(async (tx) => {
    const isNew = await insertBrief(tx, today, brief, now);
    if (!isNew && !again) return null;
    if (!isNew) await replaceBrief(tx, today, brief, now, null);
    await onMade(tx, { day: today, isNew });
    return today;
  });
}

/**
 * Deletes old briefs, briefs of later days that a clock that ran ahead has made, and events in
 * briefs that readers had sent and an editor has removed. Returns how many briefs were deleted or
 * changed.
 */
export async function deleteOldBriefs(services: Pick<Services, "site" | "db" | "clock">) {
  const { db, site, clock } = services;
  const settings = site.read(siteSettingsFile);
  const today = calendarDay(clock(), settings.timeZone);
  const firstDay = addDays(today, -briefRetentionDays);
  const deletedCount = await db.transaction(async (tx) => {
    const count = await deleteRows(tx, dailyBriefs, or(lt(day, firstDay), gt(day, today)));
    if (count > 0) await purge(tx, [cacheTags.brief]);
    return count;
  });
  const briefs = await db
    .select({ day, content, updatedAt })
    .from(dailyBriefs)
    .where(sql`${content} -> 'events' @> '[{"isFromReader": true}]'`);
  // In a city without events, no brief shows these events.
  if (briefs.length === 0 || !site.hasPage(eventsPath)) return deletedCount;
  const ids = briefs.flatMap(({ content }) =>
    content.events.filter(({ isFromReader }) => isFromReader).map(({ id }) => id),
  );
  const states = await findEvents(createEventLookup({ ...services, ...noPage }), [...new Set(ids)]);
  let changedCount = 0;
  for (const brief of briefs) {
    const events = brief.content.events.filter(
      ({ id, isFromReader }) => !isFromReader || states.has(id),
    );
    if (events.length === brief.content.events.length) continue;
    await db.transaction(async (tx) => {
      await tx
        .update(dailyBriefs)
        .set({ content: sql`jsonb_set(${content}, '{events}', ${JSON.stringify(events)}::jsonb)` })
        .where(and(eq(day, brief.day), eq(updatedAt, brief.updatedAt)));
      await purge(tx, [cacheTags.brief]);
    });
    changedCount += 1;
  }
  return deletedCount + changedCount;
}

/** The row stays, without its content, because the server would make a missing brief again. */
export function removeBrief(db: Database, ofDay: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const stored = (await lockRow(tx, dailyBriefs, eq(day, ofDay)))?.content;
    if (!stored || stored.isRemoved) return false;
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
    await purge(tx, [cacheTags.brief]);
    return true;
  });
}

export function removeHeadline(db: Database, ofDay: string, link: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const stored = (await lockRow(tx, dailyBriefs, eq(day, ofDay)))?.content;
    const headlines = stored?.headlines.filter((headline) => headline.link !== link) ?? [];
    if (!stored || headlines.length === stored.headlines.length) return false;
    const content: BriefContent = {
      ...stored,
      headlines,
      removedLinks: [...stored.removedLinks, link],
    };
    await tx.update(dailyBriefs).set({ content }).where(eq(day, ofDay));
    await purge(tx, [cacheTags.brief]);
    return true;
  });
}
