import { createHmac } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteSecrets, ensureSecret } from "../../../db/secrets.ts";
import { type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { formCounts } from "./schema.server.ts";

const saltName = (day: string) => `visitors:${day}` as const;

/** `subject` is a visitor, a /48 network, all visitors, or the newsroom, which gets the emails. */
type CountTarget = { form: string; subject: string };

/**
 * Hashes an IP address or network with a salt that changes daily. After the salt is deleted, nobody
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

export async function readCount(db: Database, clock: Clock, target: CountTarget): Promise<number> {
  const { visitor, form, hour } = await toCountKey(db, clock, target);
  const [row] = await db
    .select({ count: formCounts.count })
    .from(formCounts)
    .where(
      and(eq(formCounts.visitor, visitor), eq(formCounts.form, form), eq(formCounts.hour, hour)),
    );
  return row?.count ?? 0;
}

export async function countForm(db: Database, clock: Clock, target: CountTarget): Promise<number> {
  const [row] = await db
    .insert(formCounts)
    .values({ ...(await toCountKey(db, clock, target)), count: 1 })
    .onConflictDoUpdate({
      target: [formCounts.visitor, formCounts.form, formCounts.hour],
      set: { count: sql`${formCounts.count} + 1` },
    })
    .returning({ count: formCounts.count });
  return row?.count ?? 1;
}

/** Deletes counts that are more than a day old, and the salts of the days before yesterday. */
export async function deleteOldVisitors(db: Database, clock: Clock): Promise<void> {
  const yesterday = daysBefore(clock(), 1);
  await db.delete(formCounts).where(lt(formCounts.hour, yesterday));
  await deleteSecrets(db, saltName(""), saltName(calendarDay(yesterday, "UTC")));
}
