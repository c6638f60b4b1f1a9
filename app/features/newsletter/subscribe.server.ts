import { and, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { emailField } from "../forms/receive.server.ts";
import { pendingLifetimeDays } from "./model.ts";
import { subscribers } from "./schema.server.ts";

/** The form in the footer of every page; those pages are kept for everybody, so it carries no token. */
export const newsletterForm = {
  name: "newsletter",
  perHour: 20,
  hasToken: false,
  schema: z.object({ email: emailField }),
};

/** Keeps the address as pending. Whether it was known, nobody can tell from outside. */
export async function keepAddress(db: Database, clock: Clock, email: string): Promise<void> {
  await db.insert(subscribers).values({ email, state: "pending", createdAt: clock() }).onConflictDoNothing();
}

/** Forgets addresses that were never confirmed, as the privacy page promises. */
export async function forgetUnconfirmed(db: Database, clock: Clock): Promise<number> {
  const gone = await db
    .delete(subscribers)
    .where(
      and(
        eq(subscribers.state, "pending"),
        lt(subscribers.createdAt, daysBefore(clock(), pendingLifetimeDays)),
      ),
    )
    .returning({ email: subscribers.email });
  return gone.length;
}
