import {
  and,
  asc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { z } from "zod";
import { daysBefore } from "../../lib/dates.ts";
import { errorFields } from "../../lib/log.ts";
import type { MailContent, TemplateMail } from "../../platform/mail.ts";
import type { Services } from "../../platform/services.ts";
import { composeMail, type Sender } from "./compose.server.ts";
import type { Outbox } from "./outbox.server.ts";
import { mails } from "./schema.server.ts";
import type { ComposedMail, Outcome, Session, Transport } from "./transport.server.ts";

type QueuedMail = typeof mails.$inferSelect;

export type MailServices = Pick<Services, "db" | "clock" | "log"> & {
  transport: Transport;
  outbox: Outbox;
  sender(): Sender;
  /**
   * Returns null if the email must no longer be sent, for example because the subscriber has
   * unsubscribed.
   */
  renderTemplate(mail: TemplateMail): Promise<MailContent | null>;
};

/**
 * The number of emails that a connection claims at a time. It is small, so that all connections
 * finish at about the same time.
 */
const batchSize = 10;
/**
 * A claim lasts longer than sending any email takes, so an older claim comes from a process that
 * has ended.
 */
const claimDurationMs = 5 * 60_000;
/** With the delays below, all attempts together take about three days. */
const maxAttempts = 25;
/**
 * We give up on older emails, whatever the number of attempts. Every email is due within a day
 * after it was created, and can then be retried for three days.
 */
const maxWaitingDays = 4;

/**
 * The delays are one minute, two, four and so on up to four hours, each with some random variation.
 */
const retryDelay = sql`least(power(2, ${mails.attempts}), 240) * (0.75 + random() / 2) * interval '1 minute'`;

/**
 * Sends all emails that are due; several nodes may do so at the same time. Each state is stored
 * before the next step: waiting, sending, sent. An email is `sending` only from its last bytes to
 * the response of the mail server: after a crash at any other moment it is still waiting.
 */
export async function sendDueMails(services: MailServices, isClosing: () => boolean) {
  let unreachableError: string | null = null;
  const sendOnConnection = async () => {
    let session: Session | null = null;
    let batch: QueuedMail[] = [];
    try {
      while (!isClosing() && unreachableError === null) {
        batch = await claimBatch(services);
        if (batch.length === 0) return;
        for (const mail of batch) {
          if (!session && !isClosing() && unreachableError === null) {
            const opened = await services.transport.open();
            if (!opened.session) {
              unreachableError = opened.error;
              services.log.warn("mail.server_unreachable", { error: opened.error });
            }
            session = opened.session;
          }
          // An email that cannot be sent now is released, so that a later run can send it.
          if (!session || isClosing()) await release(services, [mail]);
          else if (!(await sendOne(services, session, mail))) {
            session.close();
            session = null;
          }
        }
      }
    } catch (error) {
      // After an unexpected error, for example of the database, the other emails of the batch must
      // not wait until their claims expire.
      await release(services, batch);
      throw error;
    } finally {
      session?.close();
    }
  };
  await Promise.all(Array.from({ length: services.transport.maxConnections }, sendOnConnection));
  if (unreachableError !== null)
    await postpone(services, isDue(services.clock()), unreachableError);
}

/** Counts a failed attempt for each of these emails, and postpones the next one or gives up. */
async function postpone(
  { db, clock, log }: Pick<MailServices, "db" | "clock" | "log">,
  which: SQL | undefined,
  error: string,
) {
  const now = clock();
  const failed = { attempts: sql`${mails.attempts} + 1`, error, claimedUntil: null };
  const isOld = lt(mails.createdAt, daysBefore(now, maxWaitingDays));
  const givenUp = await db
    .update(mails)
    .set({ ...failed, state: "refused", doneAt: now })
    .where(and(which, or(gte(mails.attempts, maxAttempts - 1), isOld)))
    .returning({ id: mails.id });
  for (const { id } of givenUp) log.warn("mail.refused", { mail: id });
  const dueAt = sql`${now.toISOString()}::timestamptz + ${retryDelay}`;
  await db
    .update(mails)
    .set({ ...failed, state: "waiting", dueAt })
    .where(and(which, ne(mails.state, "refused")));
}

const isDue = (now: Date) =>
  and(
    eq(mails.state, "waiting"),
    lte(mails.dueAt, now),
    or(isNull(mails.claimedUntil), lt(mails.claimedUntil, now)),
  );

async function claimBatch({ db, clock }: MailServices): Promise<QueuedMail[]> {
  const now = clock();
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(isDue(now))
    .orderBy(asc(mails.dueAt))
    .limit(batchSize)
    .for("update", { skipLocked: true });
  return db
    .update(mails)
    .set({ claimedUntil: new Date(now.getTime() + claimDurationMs) })
    .where(inArray(mails.id, due))
    .returning();
}

/** Sends one email. Returns whether the session can be used for the next email. */
async function sendOne(services: MailServices, session: Session, mail: QueuedMail) {
  const message = await composeOrRecord(services, mail);
  if (!message) return true;
  const outcome = await session.deliver(message, () => markSending(services, mail));
  if (outcome) await recordOutcome(services, mail, outcome);
  return outcome?.kind === "sent";
}

/**
 * Returns null if the email cannot be sent now or ever, and records why. Deletes an email that must
 * no longer be sent.
 */
async function composeOrRecord(
  services: MailServices,
  mail: QueuedMail,
): Promise<ComposedMail | null> {
  const { db, clock, log } = services;
  const { id, recipient, template, about } = mail;
  if (!z.regexes.html5Email.test(recipient)) {
    const error = "This is not an email address.";
    await recordOutcome(services, mail, { kind: "refused", error });
    return null;
  }
  try {
    const content =
      template === null
        ? mail
        : about && (await services.renderTemplate({ template, about, recipient }));
    if (content) return await composeMail(services.sender(), { ...mail, date: clock() }, content);
  } catch (error) {
    // An email that cannot be rendered, because a site file has a mistake, is postponed and must
    // not block the others.
    log.error("mail.not_rendered", { template, ...errorFields(error) });
    const outcome = { kind: "later" as const, error: "The email could not be rendered." };
    await recordOutcome(services, mail, outcome);
    return null;
  }
  await db.delete(mails).where(eq(mails.id, id));
  return null;
}

/** Returns false if the claim expired, so that another process may have sent the email. */
async function markSending({ db, clock }: MailServices, { id, claimedUntil }: QueuedMail) {
  const until = new Date(clock().getTime() + claimDurationMs);
  const isStillClaimed = and(
    eq(mails.id, id),
    eq(mails.state, "waiting"),
    claimedUntil ? eq(mails.claimedUntil, claimedUntil) : isNull(mails.claimedUntil),
  );
  const marked = await db
    .update(mails)
    .set({ state: "sending", claimedUntil: until })
    .where(isStillClaimed)
    .returning({ id: mails.id });
  return marked.length > 0;
}

async function release({ db }: MailServices, claimed: QueuedMail[]): Promise<void> {
  const ids = claimed.map(({ id }) => id);
  await db
    .update(mails)
    .set({ claimedUntil: null })
    .where(and(inArray(mails.id, ids), eq(mails.state, "waiting")));
}

async function recordOutcome(services: MailServices, { id }: QueuedMail, outcome: Outcome) {
  const { db, clock, log } = services;
  if (outcome.kind === "later") return postpone(services, eq(mails.id, id), outcome.error);
  await db
    .update(mails)
    .set({
      state: outcome.kind,
      attempts: sql`${mails.attempts} + 1`,
      error: outcome.kind === "sent" ? null : outcome.error,
      claimedUntil: null,
      doneAt: clock(),
      // The content of a sent email is deleted. The recipient and the time are enough.
      ...(outcome.kind === "sent" ? { subject: "", text: "", html: null, headers: {} } : {}),
    })
    .where(eq(mails.id, id));
  // The response of the mail server may contain the reader's email address, so it is not logged.
  if (outcome.kind !== "sent") log.warn(`mail.${outcome.kind}`, { mail: id });
}

/**
 * Releases the claims of a process that has ended: expired claims or, if `isEachAbandoned` is true,
 * all claims. An email that was waiting can be sent again. One that was being sent may have been
 * accepted, so it is not sent again automatically, except to the outbox folder, where a second
 * write replaces the first.
 */
export async function releaseAbandoned(
  { db, clock, transport, log }: MailServices,
  isEachAbandoned: boolean,
): Promise<void> {
  const now = clock();
  const isAbandoned = isEachAbandoned ? isNotNull(mails.claimedUntil) : lt(mails.claimedUntil, now);
  await db
    .update(mails)
    .set({ claimedUntil: null })
    .where(and(eq(mails.state, "waiting"), isAbandoned));
  const wasSending = and(eq(mails.state, "sending"), isAbandoned);
  const abandoned = await db
    .update(mails)
    .set(
      transport.kind === "files"
        ? { state: "waiting", claimedUntil: null }
        : {
            state: "unclear",
            claimedUntil: null,
            doneAt: now,
            error: "The server stopped while the email was being sent.",
          },
    )
    .where(wasSending)
    .returning({ id: mails.id });
  if (transport.kind !== "files")
    for (const { id } of abandoned) log.warn("mail.unclear", { mail: id });
}
