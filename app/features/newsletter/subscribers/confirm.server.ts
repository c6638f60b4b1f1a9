import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { type Clock, daysBefore } from "../../../lib/dates.ts";
import { type LinkState, linkLifetimeDays } from "../model.ts";
import { subscribers } from "../schema.server.ts";

const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

/**
 * A new link for a reader who is asked; from now on the one before is worth nothing. Only its hash
 * is kept.
 */
export async function createConfirmToken(db: Database, clock: Clock, id: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await db
    .update(subscribers)
    .set({ tokenHash: hashToken(token), tokenExpiresAt: daysBefore(clock(), -linkLifetimeDays) })
    .where(eq(subscribers.id, id));
  return token;
}

/** Looks without touching: programs that check mails follow their links. */
export async function checkConfirmLink(
  db: Database,
  clock: Clock,
  token: string,
): Promise<LinkState> {
  const { state, tokenExpiresAt } = subscribers;
  const [reader] = await db
    .select({ state, tokenExpiresAt })
    .from(subscribers)
    .where(eq(subscribers.tokenHash, hashToken(token)));
  if (!reader) return "unknown";
  if (reader.state === "confirmed") return "used";
  return reader.tokenExpiresAt && reader.tokenExpiresAt > clock() ? "good" : "expired";
}

/** Confirms once; pressed twice, the second press finds the link used. */
export async function confirm(
  db: Database,
  clock: Clock,
  token: string,
): Promise<"confirmed" | LinkState> {
  const now = clock();
  const [reader] = await db
    .update(subscribers)
    .set({ state: "confirmed", confirmedAt: now })
    .where(
      and(
        eq(subscribers.tokenHash, hashToken(token)),
        eq(subscribers.state, "pending"),
        gt(subscribers.tokenExpiresAt, now),
      ),
    )
    .returning({ id: subscribers.id });
  return reader ? "confirmed" : checkConfirmLink(db, clock, token);
}
