import { boolean, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { GoodToKnow, Headline } from "../feeds/model.ts";

/**
 * The stored content of a brief. Headlines and events are stored as they were, because other
 * newsrooms change their headlines, and events may lose their page. Of our own stories only the ids
 * are stored, because readers must see corrected titles, and nothing of a removed story.
 */
export type BriefContent = {
  headlines: Pick<Headline, "title" | "link" | "source" | "summary" | "time" | "paywall">[];
  /** Shown if there were no headlines. */
  goodToKnow: GoodToKnow[];
  /** Whether the events take place on the day of the brief. Otherwise they are the next ones. */
  areEventsToday: boolean;
  events: {
    id: string;
    title: string;
    /** The time and, for an event on a later day, the date. */
    when: string;
    location: string;
    isSample: boolean;
    /** A reader's event is no longer shown if an editor removes it. */
    isFromReader: boolean;
  }[];
  /** The public meetings of the day. */
  meetings: {
    id: string;
    title: string;
    /** "Today" or "Tonight". */
    when: string;
    time: string;
    location: string;
    isSample: boolean;
  }[];
  stories: string[];
  fact: { text: string; link: { label: string; url: string } | null } | null;
  /** The links of headlines that the newsroom removed. Making the brief again leaves them out. */
  removedLinks: string[];
  /** Whether the newsroom removed the whole brief. Its row stays, so that it is not made again. */
  isRemoved: boolean;
};

export const dailyBriefs = pgTable("daily_briefs", {
  /**
   * The day in the city, such as 2026-11-20. As the primary key, it ensures that several nodes make
   * only one brief per day.
   */
  day: text().primaryKey(),
  content: jsonb().$type<BriefContent>().notNull(),
  /** Whether it has something besides samples, so that feeds and search engines may have it. */
  hasNews: boolean().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  updatedAt: timestamp({ withTimezone: true }).notNull(),
});
