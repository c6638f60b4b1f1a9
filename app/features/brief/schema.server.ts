import { boolean, customType, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { z } from "zod";

/**
 * The stored content of a brief. Headlines and events are stored as they were, because other
 * newsrooms change their headlines, and events may lose their page. Of our own stories only the ids
 * are stored, because readers must see corrected titles, and nothing of a removed story.
 */
const contentSchema = z.object({
  headlines: z.array(
    z.object({
      title: z.string(),
      link: z.string(),
      source: z.string(),
      summary: z.string(),
      time: z.object({ iso: z.string(), shown: z.string() }),
      paywall: z.boolean(),
    }),
  ),
  /** Shown if there were no headlines. */
  goodToKnow: z.array(
    z.object({
      title: z.string(),
      summary: z.string(),
      link: z.union([z.string(), z.object({ name: z.string(), url: z.string() })]),
    }),
  ),
  /** Whether the events take place on the day of the brief. Otherwise they are the next ones. */
  areEventsToday: z.boolean(),
  events: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /** The time and, for an event on a later day, the date. */
      when: z.string(),
      location: z.string(),
      isSample: z.boolean(),
      /** A reader's event is no longer shown if an editor removes it. */
      isFromReader: z.boolean(),
    }),
  ),
  /** The public meetings of the day. Briefs from before this field was added have none. */
  meetings: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        /** "Today" or "Tonight". */
        when: z.string(),
        time: z.string(),
        location: z.string(),
        isSample: z.boolean(),
      }),
    )
    .default([]),
  stories: z.array(z.string()),
  fact: z
    .object({
      text: z.string(),
      link: z.object({ label: z.string(), url: z.string() }).nullable(),
    })
    .nullable(),
  /** The links of headlines that the newsroom removed. Making the brief again leaves them out. */
  removedLinks: z.array(z.string()).default([]),
  /** Whether the newsroom removed the whole brief. Its row stays, so that it is not made again. */
  isRemoved: z.boolean().default(false),
});

export type BriefContent = z.output<typeof contentSchema>;

/**
 * A `jsonb` column that is parsed on reading and on writing, so it contains nothing that the schema
 * does not know.
 */
const briefContent = customType<{ data: BriefContent; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: (content) => JSON.stringify(contentSchema.parse(content)),
  fromDriver: (stored) => contentSchema.parse(stored),
});

export const dailyBriefs = pgTable("daily_briefs", {
  /**
   * The day in the city, such as 2026-11-20. As the primary key, it ensures that several nodes make
   * only one brief per day.
   */
  day: text().primaryKey(),
  content: briefContent().notNull(),
  /** Whether it has something besides samples, so that feeds and search engines may have it. */
  hasNews: boolean().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  updatedAt: timestamp({ withTimezone: true }).notNull(),
});
