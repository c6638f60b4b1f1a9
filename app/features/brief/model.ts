import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import type { GoodToKnow } from "../feeds/model.ts";
import type { BriefContent } from "./schema.server.ts";

export const briefPath = "/brief";
export const briefArchivePath = "/brief/archive";
/** The path of the feed, without its extension. */
export const briefFeedPath = "/feeds/brief";
export const briefDayPath = (day: string) => `${briefPath}/${day}`;

/** When the brief of a day is made, in the city's time. */
const briefTime = "07:00";

/** How long a brief is stored. Readers' events are deleted after the same time. */
export const briefRetentionDays = 365;

/** The day whose brief should exist now; null in the hours before the brief of today is due. */
export function findDueDay(now: Date, timeZone: string): string | null {
  const today = calendarDay(now, timeZone);
  return instantAt(today, briefTime, timeZone) <= now ? today : null;
}

export function nextBriefAt(now: Date, timeZone: string): Date {
  const today = calendarDay(now, timeZone);
  const day = findDueDay(now, timeZone) === null ? today : addDays(today, 1);
  return instantAt(day, briefTime, timeZone);
}

/** A headline as it was when the brief was made. */
export type BriefHeadline = BriefContent["headlines"][number];

/** An event as its brief shows it. `path` is null if the event has no page anymore. */
export type BriefEvent = {
  title: string;
  path: string | null;
  /** The time and, for an event on a later day, the date. */
  when: string;
  location: string;
  isSample: boolean;
  isCanceled: boolean;
};

/** A public meeting of the day. */
export type BriefMeeting = {
  title: string;
  path: string;
  /** "Today" or "Tonight". */
  when: string;
  time: string;
  location: string;
  isSample: boolean;
  /** Why it does not take place on the day of the brief. */
  change: "Canceled" | "Moved" | null;
};

export type BriefStory = {
  title: string;
  path: string;
  excerpt: string;
  date: string;
  isSample: boolean;
  isFromReader: boolean;
};

export type BriefFact = NonNullable<BriefContent["fact"]>;

export type Brief = {
  day: string;
  /** Such as "Sunday, November 15, 2026". */
  date: string;
  madeAt: { iso: string; shown: string };
  headlines: BriefHeadline[];
  /** Shown if there were no headlines. */
  goodToKnow: GoodToKnow[];
  /** Whether the events take place on the day of the brief. Otherwise they are the next ones. */
  areEventsToday: boolean;
  events: BriefEvent[];
  meetings: BriefMeeting[];
  stories: BriefStory[];
  fact: BriefFact | null;
  hasNews: boolean;
};

export type BriefListItem = { day: string; date: string; titles: string[] };
