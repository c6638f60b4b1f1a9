import { createHmac } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteSecrets, ensureSecret } from "../../../db/secrets.ts";
import { type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { hourCounts } from "./schema.server.ts";

const saltName = (day: string) => `visitors:${day}` as const;

/** What is counted, such as a form, and for whom: a visitor, a region, an editor or everybody. */
type CountTarget = { what: string; whom: string };

/**
 * Hashes a visitor, or anybody else for whom something is counted, with a salt that changes daily.
 * After the salt is deleted, nobody can find the IP address that belongs to a hash.
 */
export async function hashForDay(db: Database, now: Date, whom: string): Promise<string> {
  const salt = await ensureSecret(db, saltName(calendarDay(now, "UTC")));
  return createHmac("sha256", salt).update(whom).digest("base64url").slice(0, 22);
}

async function toCountKey(db: Database, clock: Clock, { what, whom }: CountTarget) {
  const now = clock();
  const whomHash = await hashForDay(db, now, whom);
  return { what, whomHash, hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000) };
}

type CountKey = Awaited<ReturnType<typeof toCountKey>>;

/** Returns the new count, or null if it is `max` already. */
async function increaseCount(
  db: Database,
  key: CountKey,
  max: number | undefined,
): Promise<number | null> {
  const [row] = await db
    .insert(hourCounts)
    .values({ ...key, count: 1 })
    .onConflictDoUpdate({
      target: [hourCounts.what, hourCounts.whomHash, hourCounts.hour],
      set: { count: sql`${hourCounts.count} + 1` },
      setWhere: max === undefined ? undefined : lt(hourCounts.count, max),
    })
    .returning({ count: hourCounts.count });
  return row?.count ?? null;
}

export async function increaseHourCount(
  db: Database,
  clock: Clock,
  target: CountTarget,
): Promise<number> {
  return (await increaseCount(db, await toCountKey(db, clock, target), undefined)) ?? 1;
}

/**
 * Reserves one of this hour's slots, at most `max`, for a form that is not stored yet. Returns a function
 * that returns the slot, or null if all slots are taken.
 */
export async function reserveSlot(
  db: Database,
  clock: Clock,
  target: CountTarget,
  max: number | undefined,
): Promise<(() => Promise<unknown>) | null> {
  const key = await toCountKey(db, clock, target);
  if ((await increaseCount(db, key, max)) === null) return null;
  const { what, whomHash, hour } = hourCounts;
  const isSlot = and(eq(what, key.what), eq(whomHash, key.whomHash), eq(hour, key.hour));
  return () =>
    db
      .update(hourCounts)
      .set({ count: sql`${hourCounts.count} - 1` })
      .where(isSlot);
}

/** Deletes counts that are more than a day old, and the salts of the days before yesterday. */
export async function deleteOldHourCounts(db: Database, clock: Clock): Promise<void> {
  const yesterday = daysBefore(clock(), 1);
  await db.delete(hourCounts).where(lt(hourCounts.hour, yesterday));
  await deleteSecrets(db, saltName(""), saltName(calendarDay(yesterday, "UTC")));
}
