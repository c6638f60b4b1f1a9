import { and, asc, count, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Clock } from "../../../lib/dates.ts";
import type { MailContent } from "../../../platform/mail.ts";
import { queueTemplateMails } from "../../mail/queue.server.ts";
import { mails } from "../../mail/schema.server.ts";
import { subscribers } from "../schema.server.ts";
import { listConfirmedAfter } from "../subscribers/list.server.ts";
import { unsubscribeHeaders, unsubscribeLink } from "../subscribers/unsubscribe.server.ts";
import { type Issue, withUnsubscribeLink } from "./format.server.ts";
import { newsletterIssues } from "./schema.server.ts";

const templatePrefix = "digest:";
export const toTemplate = (issue: string) => `${templatePrefix}${issue}`;

export type IssueRecord = typeof newsletterIssues.$inferSelect;

export async function findIssue(db: Database, id: string): Promise<IssueRecord | null> {
  const [issue] = await db.select().from(newsletterIssues).where(eq(newsletterIssues.id, id));
  return issue ?? null;
}

/** The letter whose mails were not all written down before something stopped us. */
export async function findUnfinishedIssue(db: Database): Promise<IssueRecord | null> {
  const [issue] = await db
    .select()
    .from(newsletterIssues)
    .where(isNull(newsletterIssues.writtenAt))
    .limit(1);
  return issue ?? null;
}

/** Keeps the letter of a day; the first to come has written it. */
export async function storeIssue(
  db: Database,
  clock: Clock,
  { id, confirmedBy, ...issue }: Issue & { id: string; confirmedBy: Date },
): Promise<void> {
  await db
    .insert(newsletterIssues)
    .values({ id, confirmedBy, ...issue, createdAt: clock(), readers: 0 })
    .onConflictDoNothing();
}

/**
 * Writes a mail down for every reader, and begins again where a crash has stopped it: a reader who
 * has one gets no second, since the letter and the reader are its key. When all stand there, the
 * letter is no longer unfinished.
 */
export async function writeMails(
  db: Database,
  clock: Clock,
  { id: issue, confirmedBy }: Pick<IssueRecord, "id" | "confirmedBy">,
  onBatch: (written: number) => void = () => {},
): Promise<number> {
  let written = 0;
  for (let after: string | null = null; ; ) {
    const readers: { id: string; email: string }[] = await listConfirmedAfter(
      db,
      after,
      confirmedBy,
    );
    const last = readers.at(-1);
    if (!last) break;
    const template = toTemplate(issue);
    await queueTemplateMails(
      db,
      clock,
      readers.map(({ id, email }) => ({
        key: `${template}:${id}`,
        to: email,
        template,
        about: id,
        dueAt: clock(),
      })),
    );
    after = last.id;
    written += readers.length;
    onBatch(written);
  }
  await db
    .update(newsletterIssues)
    .set({ writtenAt: clock(), readers: written })
    .where(eq(newsletterIssues.id, issue));
  return written;
}

/**
 * After a step back in time: a letter that was unfinished then, and the one that has come due
 * since, may have gone out. Both count as written, so that nobody gets them twice.
 */
export async function holdBackIssues(
  db: Pick<Database, "insert" | "update">,
  now: Date,
  letters: SentIssue[],
): Promise<void> {
  await db
    .update(newsletterIssues)
    .set({ writtenAt: now })
    .where(isNull(newsletterIssues.writtenAt));
  if (letters.length === 0) return;
  const nothing = { subject: "", text: "", html: "", readers: 0, createdAt: now, writtenAt: now };
  await db
    .insert(newsletterIssues)
    .values(letters.map(({ id, at }) => ({ id, confirmedBy: at, ...nothing })))
    .onConflictDoNothing();
}

type SentIssue = { id: string; at: Date };

/** The letters that have gone out, or are about to. */
export const listIssues = (db: Database): Promise<SentIssue[]> =>
  db
    .select({ id: newsletterIssues.id, at: newsletterIssues.createdAt })
    .from(newsletterIssues)
    .execute();

/** The mails of a letter that did not arrive, or perhaps did not, in the order of the addresses. */
export const listUndelivered = (db: Database, issue: string, limit: number) =>
  db
    .select({ recipient: mails.recipient, state: mails.state, fault: mails.fault })
    .from(mails)
    .where(
      and(
        eq(mails.template, toTemplate(issue)),
        inArray(mails.state, ["refused", "bounced", "unclear"]),
      ),
    )
    .orderBy(asc(mails.recipient))
    .limit(limit);

/** How far the mails of a letter have come. */
export async function countIssueMails(db: Database, issue: string) {
  const rows = await db
    .select({ state: mails.state, mails: count() })
    .from(mails)
    .where(eq(mails.template, toTemplate(issue)))
    .groupBy(mails.state);
  const of = (state: string) => rows.find((row) => row.state === state)?.mails ?? 0;
  const all = rows.reduce((sum, row) => sum + row.mails, 0);
  return {
    all,
    sent: of("sent"),
    refused: of("refused") + of("bounced"),
    unclear: of("unclear"),
    waiting: of("waiting") + of("sending"),
  };
}

export const isIssueTemplate = (template: string) => template.startsWith(templatePrefix);

/** A letter never changes, and is asked for once a reader. */
const cachedIssues = new WeakMap<Database, IssueRecord>();

async function readIssue(db: Database, id: string): Promise<IssueRecord | null> {
  const last = cachedIssues.get(db);
  const issue = last?.id === id ? last : await findIssue(db, id);
  if (issue) cachedIssues.set(db, issue);
  return issue;
}

/**
 * Names the newsletter to mail programs, which sort and filter by it, so it never changes with the
 * issue (RFC 2919). The name is cut down to characters that need no quotes in a header.
 */
export const toListId = (name: string, origin: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}' -]/gu, "").trim()} <newsletter.${new URL(origin).hostname}>`.trim();

/** One reader's letter; null for a reader who has left in the meantime. */
export async function renderIssueMail(
  db: Database,
  { origin, name }: { origin: string; name: string },
  template: string,
  reader: string,
): Promise<MailContent | null> {
  const [there] = await db
    .select({ yes: sql<number>`1` })
    .from(subscribers)
    .where(eq(subscribers.id, reader));
  const issue = there && (await readIssue(db, template.slice(templatePrefix.length)));
  if (!issue) return null;
  const link = await unsubscribeLink(db, origin, reader);
  return {
    ...withUnsubscribeLink(issue, link),
    headers: { "List-Id": toListId(name, origin), ...unsubscribeHeaders(link) },
  };
}
