import { createHmac } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteSecrets, ensureSecret } from "../../../db/secrets.ts";
import { type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { formCounts } from "./schema.server.ts";

const saltName = (day: string) => `visitors:${day}` as const;

/** `subject` is a visitor, a region, all visitors, or the newsroom, which gets the emails. */
type CountTarget = { form: string; subject: string };

/**
 * Hashes a subject with a salt that changes daily. After the salt is deleted, nobody
 * can find the IP address that belongs to a hash.
 */
export async function hashVisitor(db: Database, now: Date, subject: string): Promise<string> {
  const salt = await ensureSecret(db, saltName(calendarDay(now, "UTC")));
  return createHmac("sha256", salt).update(subject).digest("base64url").slice(0, 22);
}

async function toCountKey(db: Database, clock: Clock, { form, subject }: CountTarget) {
  const now = clock();
  const visitor = await hashVisitor(db, now, subject);
  return { visitor, form, hour: new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000) };
}

type CountKey = Awaited<ReturnType<typeof toCountKey>>;

/** Returns the new count, or null if it is `max` already. */
async function increaseCount(db: Database, key: CountKey, max?: number): Promise<number | null> {
  const [row] = await db
    .insert(formCounts)
    .values({ ...key, count: 1 })
    .onConflictDoUpdate({
      target: [formCounts.visitor, formCounts.form, formCounts.hour],
      set: { count: sql`${formCounts.count} + 1` },
      setWhere: max === undefined ? undefined : lt(formCounts.count, max),
    })
    .returning({ count: formCounts.count });
  return row?.count ?? null;
}

export async function increaseHourCount(
  db: Database,
  clock: Clock,
  target: CountTarget,
): Promise<number> {
  return (await increaseCount(db, await toCountKey(db, clock, target))) ?? 1;
}

/**
 * Reserves one of the `max` slots of this hour for a form that is not stored yet. Returns a function
 * that returns the slot, or null if all slots are taken.
 */
export async function reserveSlot(
  db: Database,
  clock: Clock,
  target: CountTarget,
  max: number,
): Promise<(() => Promise<unknown>) | null> {
  const key = await toCountKey(db, clock, target);
  if ((await increaseCount(db, key, max)) === null) return null;
  const { visitor, form, hour } = formCounts;
  const isSlot = and(eq(visitor, key.visitor), eq(form, key.form), eq(hour, key.hour));
  return () =>
    db
      .update(formCounts)
      .set({ count: sql`${formCounts.count} - 1` })
      .where(isSlot);
}

/** Deletes counts that are more than a day old, and the salts of the days before yesterday. */
export async function deleteOldVisitors(db: Database, clock: Clock): Promise<void> {
  const yesterday = daysBefore(clock(), 1);
  await db.delete(formCounts).where(lt(formCounts.hour, yesterday));
  await deleteSecrets(db, saltName(""), saltName(calendarDay(yesterday, "UTC")));
}
