import { and, count, desc, eq, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { findRow } from "../../../../db/rows.ts";
import type { Clock } from "../../../lib/dates.ts";
import type { MailContent } from "../../../platform/mail.ts";
import type { Services } from "../../../platform/services.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { greetingAt } from "../../mail/layout.server.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { countMails } from "../../mail/stored-mails.server.ts";
import { newsletterFile } from "../files.server.ts";
import { newsletterIssues, subscribers } from "../schema.server.ts";
import { listConfirmedAfter } from "../subscribers/list.server.ts";
import { createUnsubscribeLink, unsubscribeHeaders } from "../subscribers/unsubscribe.server.ts";
import { addressIssue, type Issue, type IssueSection } from "./format.server.ts";

const templatePrefix = "issue:";
const toTemplate = (issue: string) => `${templatePrefix}${issue}`;

export type IssueRecord = typeof newsletterIssues.$inferSelect;

export const findIssue = (db: Database, id: string): Promise<IssueRecord | null> =>
  findRow(db, newsletterIssues, eq(newsletterIssues.id, id));

/** Finds an issue for which the server stopped before it had queued all emails. */
export const findUnfinishedIssue = (db: Database): Promise<IssueRecord | null> =>
  findRow(db, newsletterIssues, isNull(newsletterIssues.writtenAt));

type NewIssue = Pick<IssueRecord, "id" | "confirmedBy"> & Issue & { sections?: IssueSection[] };

/** Stores the issue of a day, unless another node has already stored one. */
export async function storeIssue(db: Database, clock: Clock, issue: NewIssue): Promise<void> {
  const values = { ...issue, createdAt: clock(), readers: 0 };
  await db.insert(newsletterIssues).values(values).onConflictDoNothing();
}

/**
 * Queues an email to every subscriber who had confirmed by `confirmedBy`, and then marks the issue
 * as finished. This function can run again after a crash: the key of an email consists of the issue
 * and the subscriber, so nobody gets a second email.
 */
export async function queueIssueMails(
  db: Database,
  clock: Clock,
  { id: issue, confirmedBy }: Pick<IssueRecord, "id" | "confirmedBy">,
): Promise<number> {
  let queued = 0;
  for (let lastId: string | null = null; ; ) {
    const batch: { id: string; email: string }[] = await listConfirmedAfter(
      db,
      lastId,
      confirmedBy,
    );
    const last = batch.at(-1);
    if (!last) break;
    const template = toTemplate(issue);
    await queueTemplateMails(
      db,
      clock,
      batch.map(({ id, email }) => ({
        key: `${template}:${id}`,
        to: email,
        template,
        about: id,
        dueAt: clock(),
      })),
    );
    lastId = last.id;
    queued += batch.length;
  }
  await db.transaction(async (tx) => {
    await tx
      .update(newsletterIssues)
      .set({ writtenAt: clock(), readers: queued })
      .where(eq(newsletterIssues.id, issue));
    await purge(tx, [cacheTags.newsletter]);
  });
  return queued;
}

/**
 * Call this after a restore. An issue that was unfinished in the backup, or was sent since then, is
 * marked as finished, so that nobody gets it twice.
 */
export async function holdBackIssues(
  db: Pick<Database, "insert" | "update">,
  now: Date,
  issues: SentIssue[],
): Promise<void> {
  await db
    .update(newsletterIssues)
    .set({ writtenAt: now })
    .where(isNull(newsletterIssues.writtenAt));
  if (issues.length === 0) return;
  const empty = { subject: "", text: "", html: "", readers: 0, createdAt: now, writtenAt: now };
  await db
    .insert(newsletterIssues)
    .values(issues.map(({ id, at }) => ({ id, confirmedBy: at, ...empty })))
    .onConflictDoNothing();
}

type SentIssue = { id: string; at: Date };

export const listIssues = (db: Database): Promise<SentIssue[]> =>
  db
    .select({ id: newsletterIssues.id, at: newsletterIssues.createdAt })
    .from(newsletterIssues)
    .execute();

export async function countIssueMails(db: Database, issue: string) {
  const counts = await countMails(db, toTemplate(issue));
  return {
    all: Object.values(counts).reduce((sum, each) => sum + each, 0),
    sent: counts.sent,
    refused: counts.refused + counts.bounced,
    unclear: counts.unclear,
    waiting: counts.waiting + counts.sending,
  };
}

export const isIssueTemplate = (template: string) => template.startsWith(templatePrefix);

/**
 * Mail programs sort by the List-Id, so it is the same for all issues (RFC 2919). Characters of the
 * name that would need quotes in a header are removed.
 */
export const toListId = (name: string, origin: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}' -]/gu, "").trim()} <newsletter.${new URL(origin).hostname}>`.trim();

/** Returns null if the subscriber has unsubscribed in the meantime. */
export async function renderIssueMail(
  { db, clock, site }: Pick<Services, "db" | "clock" | "site">,
  template: string,
  subscriberId: string,
): Promise<MailContent | null> {
  const [subscriber] = await db
    .select({ exists: sql<number>`1` })
    .from(subscribers)
    .where(eq(subscribers.id, subscriberId));
  const issue = subscriber && (await findIssue(db, template.slice(templatePrefix.length)));
  if (!issue) return null;
  const { origin, timeZone } = site.read(siteSettingsFile);
  const name = site.read(newsletterFile).heading;
  const link = await createUnsubscribeLink(db, origin, subscriberId);
  return {
    ...addressIssue(issue, { link, greeting: greetingAt(clock(), timeZone) }),
    headers: { "List-Id": toListId(name, origin), ...unsubscribeHeaders(link) },
  };
}

/** A single bounce may be the mail server's mistake; three in a row are not. */
const bouncesInARow = 3;

/**
 * If more emails of an issue than this bounce, and more than half of them, the problem is probably
 * on our side.
 */
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
