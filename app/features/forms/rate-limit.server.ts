import { createHmac } from "node:crypto";
import { lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { forgetSecrets, readSecret } from "../../../db/secrets.ts";
import { type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { formCounts } from "./schema.server.ts";

const saltOf = (day: string) => `visitors:${day}`;

/**
 * Counts that this visitor sends this form, and says whether that is still within the limit of an hour. A visitor is a
 * hash of the address with a salt of the day; the salt is deleted, and with it the way from a hash to an address.
 */
export async function isWithinLimit(
  db: Database,
  clock: Clock,
  { form, address, perHour }: { form: string; address: string; perHour: number },
): Promise<boolean> {
  const now = clock();
  const salt = await readSecret(db, saltOf(calendarDay(now, "UTC")));
  const visitor = createHmac("sha256", salt).update(address).digest("base64url").slice(0, 22);
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const [row] = await db
    .insert(formCounts)
    .values({ visitor, form, hour, count: 1 })
    .onConflictDoUpdate({
      target: [formCounts.visitor, formCounts.form, formCounts.hour],
      set: { count: sql`${formCounts.count} + 1` },
    })
    .returning({ count: formCounts.count });
  return (row?.count ?? 1) <= perHour;
}

/** Deletes counts and salts of the days before yesterday. */
export async function forgetVisitors(db: Database, clock: Clock): Promise<void> {
  const yesterday = daysBefore(clock(), 1);
  await db.delete(formCounts).where(lt(formCounts.hour, yesterday));
  await forgetSecrets(db, saltOf(""), saltOf(calendarDay(yesterday, "UTC")));
}
