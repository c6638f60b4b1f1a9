import { and, eq, isNull, sql } from "drizzle-orm";
import { insertRows } from "../../../db/bulk.ts";
import type { Database } from "../../../db/database.ts";
import type { Clock } from "../../lib/dates.ts";
import { mails } from "./schema.server.ts";

type Mail = {
  /** What the email is about, such as "story:<id>". There is at most one email per key. */
  key: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
  /** When to send the email, if not now. */
  dueAt?: Date;
  /** What to add to the email with this key instead, if it has not been sent yet. */
  addition?: string;
};

/**
 * Call this in the transaction that stores what the email is about, so that neither exists without
 * the other. Returns false if there already is an email with this key and nothing was added to it.
 */
export async function queueMail(
  db: Database,
  clock: Clock,
  { to, headers = {}, addition, ...mail }: Mail,
): Promise<boolean> {
  const now = clock();
  const values = { dueAt: now, ...mail, headers, recipient: to, attempts: 0, createdAt: now };
  const insert = db.insert(mails).values({ ...values, state: "waiting" });
  const isUnclaimed = and(eq(mails.state, "waiting"), isNull(mails.claimedUntil));
  const set = { text: sql`${mails.text} || ${addition}` };
  const queued = await (addition === undefined
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({ target: mails.key, set, setWhere: isUnclaimed })
  ).returning({ id: mails.id });
  return queued.length > 0;
}

/**
 * Needs no text, because `template` renders it when the email is sent. `about` is the id of what
 * the email is about, such as a subscriber.
 */
type QueuedTemplateMail = { key: string; to: string; template: string; about: string; dueAt: Date };

/** Queues emails that templates render. Callers pass at most 200 at a time. */
export async function queueTemplateMails(
  db: Database,
  clock: Clock,
  templateMails: QueuedTemplateMail[],
): Promise<void> {
  const createdAt = clock();
  await insertRows(
    db,
    mails,
    templateMails.map(({ to, ...mail }) => ({
      ...mail,
      recipient: to,
      subject: "",
      text: "",
      headers: {},
      state: "waiting" as const,
      attempts: 0,
      createdAt,
    })),
  );
}
