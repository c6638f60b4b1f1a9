import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import type { StoryCard } from "../stories/model.ts";
import type { BriefContent } from "./schema.server.ts";

export const briefPath = "/brief";
export const briefArchivePath = "/brief/archive";
export const briefFeedPath = "/feeds/brief";
export const briefDayPath = (day: string) => `${briefPath}/${day}`;

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

type Stored<Name extends "events" | "meetings"> = BriefContent[Name][number];

/** `path` is null if the event has no page anymore. */
type BriefEvent = Omit<Stored<"events">, "id" | "isFromReader"> & {
  path: string | null;
  isCanceled: boolean;
};

/** `change` is "Canceled" or "Moved" if the meeting does not take place on the day of the brief. */
type BriefMeeting = Omit<Stored<"meetings">, "id"> & {
  path: string;
  change: "Canceled" | "Moved" | null;
};

type BriefStory = Pick<StoryCard, "title" | "excerpt" | "date" | "isSample" | "isFromReader"> & {
  path: string;
};

type Unchanged = "headlines" | "goodToKnow" | "areEventsToday" | "fact";

export type Brief = Pick<BriefContent, Unchanged> & {
  day: string;
  /** Such as "Sunday, November 15, 2026". */
  date: string;
  madeAt: { iso: string; shown: string };
  events: BriefEvent[];
  meetings: BriefMeeting[];
  stories: BriefStory[];
  /** Whether the brief has something besides samples and items without a date. */
  hasNews: boolean;
};

export type BriefListItem = { day: string; date: string; titles: string[] };
