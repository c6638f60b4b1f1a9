import { and, count, desc, eq, gte, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { mails } from "../../mail/schema.server.ts";
import { subscribers } from "../schema.server.ts";
import { toTemplate } from "./issue.server.ts";
import { newsletterIssues } from "./schema.server.ts";

/**
 * A single refusal may be a mistake of the mail server; the same answer to three newsletters is
 * not.
 */
export const bouncesInARow = 3;

/**
 * An issue that bounced for more readers than this, and for more than half of them, says something
 * about us instead.
 */
const maxPlausibleBounces = 10;

/** A statement takes a limited number of values; the next run deletes the rest. */
const batchSize = 1_000;

/**
 * Unsubscribes readers to whom each of the latest newsletters bounced, and says how many. The mails
 * are the record: bounced ones are kept for 30 days, so the newsletters have to fall into that
 * time.
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
  const bounced = and(inArray(mails.template, templates), eq(mails.state, "bounced"));
  const perIssue = await db
    .select({ template: mails.template, mails: count() })
    .from(mails)
    .where(bounced)
    .groupBy(mails.template);
  const countBounces = (id: string) =>
    perIssue.find(({ template }) => template === toTemplate(id))?.mails ?? 0;
  const isPlausible = issues.every(({ id, readers }) => {
    const bounces = countBounces(id);
    return bounces > 0 && bounces <= Math.max(maxPlausibleBounces, readers / 2);
  });
  if (!isPlausible) return 0;
  // A reader who has subscribed again since then has shown that the address works.
  const gone = await db
    .select({ id: subscribers.id })
    .from(mails)
    .innerJoin(
      subscribers,
      and(eq(subscribers.id, mails.about), gte(mails.doneAt, subscribers.confirmedAt)),
    )
    .where(bounced)
    .groupBy(subscribers.id)
    .having(gte(count(), bouncesInARow))
    .limit(batchSize);
  if (gone.length === 0) return 0;
  const ids = gone.map(({ id }) => id);
  await db.transaction(async (tx) => {
    await tx.delete(subscribers).where(inArray(subscribers.id, ids));
    await tx.delete(mails).where(and(inArray(mails.about, ids), eq(mails.state, "waiting")));
  });
  return ids.length;
}
