import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { addDays, type Clock, calendarDay } from "../../lib/dates.ts";
import { tallies } from "./schema.server.ts";
import type { TallyKind } from "./tally.server.ts";

export type TallyCount = { key: string; count: number };

/** The counts of the last `days` days, including today; the most frequent first. */
export function listTallies(
  db: Database,
  clock: Clock,
  timeZone: string,
  kind: TallyKind,
  days: number,
): Promise<TallyCount[]> {
  const lastExcludedDay = addDays(calendarDay(clock(), timeZone), -days);
  const count = sql<number>`sum(${tallies.count})::int`;
  return db
    .select({ key: tallies.key, count })
    .from(tallies)
    .where(and(eq(tallies.kind, kind), gt(tallies.day, lastExcludedDay)))
    .groupBy(tallies.key)
    .orderBy(desc(count), tallies.key);
}
