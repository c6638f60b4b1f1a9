import { index, pgTable, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";

/** Sentences that every page shows for some time, and those of the past year. */
export const alerts = pgTable(
  "alerts",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** An editor published it, the file notice.yaml, or an authority. */
    issuer: text({ enum: ["editor", "file", "official"] }).notNull(),
    /** The id by which the issuer recognizes the alert. Null if the issuer will not change it. */
    externalId: text(),
    text: text().notNull(),
    level: text({ enum: ["notice", "urgent"] }).notNull(),
    /** A path of this site, or a URL. */
    link: text(),
    startsAt: timestamp({ withTimezone: true }).notNull(),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    /** When somebody ended the alert. It stays ended, even if its issuer still has it. */
    endedAt: timestamp({ withTimezone: true }),
    updatedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    unique("alerts_of_issuer").on(table.issuer, table.externalId),
    index("alerts_newest").on(table.startsAt),
  ],
);
