import { boolean, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { OfficialAlert, Severity } from "./plan.ts";

/** The alerts of the Weather Service, with what editors decided: see plan.ts. */
export const officialAlerts = pgTable("official_alerts", {
  key: text().primaryKey(),
  messageId: text().notNull(),
  severity: text().$type<Severity>().notNull(),
  event: text().notNull(),
  headline: text().notNull(),
  description: text().notNull(),
  instruction: text().notNull(),
  area: text().notNull(),
  sender: text().notNull(),
  sentAt: timestamp({ withTimezone: true }).notNull(),
  endsAt: timestamp({ withTimezone: true }).notNull(),
  decision: text().$type<OfficialAlert["decision"]>(),
  isListed: boolean().notNull(),
});
