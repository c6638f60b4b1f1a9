import { and, count, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { tallies } from "./schema.server.ts";

export type TallyKind = (typeof tallies.$inferSelect)["kind"];

/** Longer keys are cut, and further keys of a day share one row: a flood stays small. */
export const keyLength = 200;
export const keysPerDay = 1_000;
export const overflowKey = "(all others)";
export const tallyLifetimeDays = 90;

/** Adds one to today's count of the key, today being the city's. */
export async function tally(
  db: Database,
  clock: Clock,
  timeZone: string,
  kind: TallyKind,
  words: string,
): Promise<void> {
  const day = calendarDay(clock(), timeZone);
  const key = storable(words);
  const [known] = await db
    .update(tallies)
    .set({ count: sql`${tallies.count} + 1` })
    .where(and(eq(tallies.kind, kind), eq(tallies.day, day), eq(tallies.key, key)))
    .returning({ key: tallies.key });
  if (known) return;

  const [today] = await db
    .select({ keys: count() })
    .from(tallies)
    .where(and(eq(tallies.kind, kind), eq(tallies.day, day)));
  const full = (today?.keys ?? 0) >= keysPerDay;
  await db
    .insert(tallies)
    .values({ kind, day, key: full ? overflowKey : key, count: 1 })
    .onConflictDoUpdate({
      target: [tallies.kind, tallies.day, tallies.key],
      set: { count: sql`${tallies.count} + 1` },
    });
}

export async function forgetOldTallies(db: Database, clock: Clock, timeZone: string): Promise<number> {
  const oldest = calendarDay(daysBefore(clock(), tallyLifetimeDays), timeZone);
  const gone = await db.delete(tallies).where(lt(tallies.day, oldest)).returning({ key: tallies.key });
  return gone.length;
}

/** Postgres takes neither NUL nor half a surrogate pair. */
function storable(words: string): string {
  return words.replaceAll("\0", "").toWellFormed().slice(0, keyLength).toWellFormed();
}
