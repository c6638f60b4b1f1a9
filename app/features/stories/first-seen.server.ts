import { calendarDay } from "../../lib/dates.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import type { StoryRecord } from "./record.server.ts";

export type FirstSeen = {
  readAt: Date;
  /** When the site first saw each story that was published at the time `readAt`, by its id. */
  times: ReadonlyMap<string, Date>;
  /** The ids of files that are not used, because a reader's story is published at their path. */
  refused: ReadonlySet<string>;
};

/** `rememberPublished` reads them from the database, where all nodes share them. */
const firstSeenBySite = new WeakMap<SiteContent, FirstSeen>();

/** Undefined if they have not been read yet. */
export const readFirstSeen = (site: SiteContent): FirstSeen | undefined =>
  firstSeenBySite.get(site);

export const storeFirstSeen = (site: SiteContent, firstSeen: FirstSeen): void => {
  firstSeenBySite.set(site, firstSeen);
};

/** Whether the file has a day and no time. */
export const isDatedByDay = ({ writtenDate }: Pick<StoryRecord, "writtenDate">) =>
  writtenDate.length === "2026-11-15".length;

/**
 * Whether the moment of publication of the story is still to be read. A story that was scheduled
 * when they were read is published at the start of its day.
 */
export const isMomentMissing = (record: StoryRecord, firstSeen: FirstSeen | undefined) =>
  isDatedByDay(record) &&
  (!firstSeen || (!firstSeen.times.has(record.id) && record.dueAt <= firstSeen.readAt));

/**
 * Sets the moment of publication of a story whose file has no time: when the site first saw the
 * story, if that was on its day. Otherwise it remains the start of the day.
 */
export function atFirstSeen(
  record: StoryRecord,
  seenAt: Date | undefined,
  timeZone: string,
): StoryRecord {
  const isOnItsDay =
    seenAt && isDatedByDay(record) && calendarDay(seenAt, timeZone) === record.writtenDate;
  return isOnItsDay ? { ...record, publishedAt: seenAt } : record;
}
