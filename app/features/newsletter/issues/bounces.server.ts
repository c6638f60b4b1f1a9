import { and, count, desc, eq, gte, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { mails } from "../../mail/schema.server.ts";
import { newsletterIssues, subscribers } from "../schema.server.ts";
import { toTemplate } from "./issue.server.ts";

/** A single bounce may be the mail server's mistake; three in a row are not. */
export const bouncesInARow = 3;

/** With more bounces, of more than half of all subscribers, the problem is probably on our side. */
const maxPlausibleBounces = 10;

/** The number of values per SQL statement is limited. The next run deletes the rest. */
const batchSize = 1_000;

/**
 * Unsubscribes readers for whom the latest three issues bounced, and returns their number. The
 * issues must be of the last 30 days, because bounced emails are stored for that time.
 */
export async function unsubscribeBounced(db: Database): Promise<number> {
  const issues = await db
    .select({ id: newsletterIssues.id, readers: newsletterIssues.readers })
    .from(newsletterIssues)
    .where(isNotNull(newsletterIssues.writtenAt))
    .orderBy(desc(newsletterIssues.id))
    .limit(bouncesInARow);
  if (issues.length < bouncesInARow) return 0;
  const templates = issues.map(({ id }) => toTemplate(id));
  const isBounced = and(inArray(mails.template, templates), eq(mails.state, "bounced"));
  const bouncesPerIssue = await db
    .select({ template: mails.template, mails: count() })
    .from(mails)
    .where(isBounced)
    .groupBy(mails.template);
  const countBounces = (id: string) =>
    bouncesPerIssue.find(({ template }) => template === toTemplate(id))?.mails ?? 0;
  const isPlausible = issues.every(({ id, readers }) => {
    const bounces = countBounces(id);
    return bounces > 0 && bounces <= Math.max(maxPlausibleBounces, readers / 2);
  });
  if (!isPlausible) return 0;
  // A reader who has subscribed again since then has shown that the email address works.
  const bouncedSubscribers = await db
    .select({ id: subscribers.id })
    .from(mails)
    .innerJoin(
      subscribers,
      and(eq(subscribers.id, mails.about), gte(mails.doneAt, subscribers.confirmedAt)),
    )
    .where(isBounced)
    .groupBy(subscribers.id)
    .having(gte(count(), bouncesInARow))
    .limit(batchSize);
  if (bouncedSubscribers.length === 0) return 0;
  const ids = bouncedSubscribers.map(({ id }) => id);
  await db.transaction(async (tx) => {
    await tx.delete(subscribers).where(inArray(subscribers.id, ids));
    await tx.delete(mails).where(and(inArray(mails.about, ids), eq(mails.state, "waiting")));
  });
  return ids.length;
}
