import { and, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import { errorFields, type Log } from "../../lib/log.ts";
import { pendingLifetimeDays } from "./model.ts";
import { subscribers } from "./schema.server.ts";

// The rule of HTML's type=email, so that the server refuses nothing the browser has let through;
// 254 characters is the longest address mail can be sent to (RFC 5321).
const address = z.email({ pattern: z.regexes.html5Email }).max(254).toLowerCase();

/** A refused address comes back as it was typed, with a reason and a way on; so does one that could not be kept. */
export type SignUp =
  | { kind: "pending"; email: string }
  | { kind: "refused" | "failed"; email: string; reason: string };

/** Keeps the address as pending. The answer is the same whether or not it was known. */
export async function signUp(db: Database, clock: Clock, log: Log, typed: string): Promise<SignUp> {
  const email = typed.trim();
  const parsed = address.safeParse(email);
  if (!parsed.success) {
    const reason =
      email === ""
        ? "Please enter your e-mail address."
        : "Please enter a complete e-mail address, such as name@example.com.";
    return { kind: "refused", email, reason };
  }
  try {
    await db
      .insert(subscribers)
      .values({ email: parsed.data, state: "pending", createdAt: clock() })
      .onConflictDoNothing();
  } catch (error) {
    log.error("newsletter.not_kept", errorFields(error));
    return {
      kind: "failed",
      email,
      reason: "We could not keep your address just now. Please try again in a moment.",
    };
  }
  return { kind: "pending", email: parsed.data };
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
