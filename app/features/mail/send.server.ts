import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { z } from "zod";
import { daysBefore } from "../../lib/dates.ts";
import { errorFields } from "../../lib/log.ts";
import type { MailContent } from "../../platform/mail.ts";
import type { Services } from "../../platform/services.ts";
import { composeMail, type Sender } from "./compose.server.ts";
import { mails } from "./schema.server.ts";
import type { Outcome, Session, Transport } from "./transport.server.ts";

type QueuedMail = typeof mails.$inferSelect;

/**
 * Writes the words of a template's mail; null when it is no longer wanted, because its reader has
 * left.
 */
export type RenderTemplate = (template: string, about: string) => Promise<MailContent | null>;

export type MailServices = Pick<Services, "db" | "clock" | "log"> & {
  transport: Transport;
  sender(): Sender;
  renderTemplate: RenderTemplate;
};

/** Taken at a time by a lane. Few, so that lanes end together. */
const batchSize = 10;
/** Longer than any mail takes; what is claimed longer was left by a process that is gone. */
const claimMs = 5 * 60_000;
/** With the waits below, about three days. */
const maxAttempts = 25;
/**
 * However few tries there were: every mail is due within a day after it was written, and then has
 * three.
 */
const waitingLifetimeDays = 4;
const maxRetryDelayMs = 4 * 3_600_000;

/** The wait after so many tries: one minute, two, four … four hours, each a little different. */
export function retryDelayMs(attempts: number, random = Math.random()): number {
  return Math.min(60_000 * 2 ** (attempts - 1), maxRetryDelayMs) * (0.75 + random / 2);
}

/**
 * Sends all that is due. A mail goes waiting → sending → sent, each step stored before the next is
 * taken, and it is `sending` only from its last bytes to the server's answer: a crash at any other
 * moment leaves it waiting. Several nodes may do this at once.
 */
export async function sendDueMails(
  services: MailServices,
  isClosing: () => boolean,
): Promise<void> {
  await releaseAbandoned(services, false);
  let awayFault: string | null = null;
  const lane = async () => {
    let session: Session | null = null;
    try {
      while (!isClosing() && awayFault === null) {
        const batch = await claimBatch(services);
        if (batch.length === 0) return;
        for (const mail of batch) {
          if (!session && !isClosing() && awayFault === null) {
            const opened = await services.transport.open();
            if (!opened.session) {
              awayFault = opened.error;
              services.log.warn("mail.server_away", { fault: opened.error });
            }
            session = opened.session;
          }
          // What cannot be sent now is nobody's any more: a later sweep finds it.
          if (!session || isClosing()) await release(services, mail);
          else if (!(await sendOne(services, session, mail))) {
            session.close();
            session = null;
          }
        }
      }
    } finally {
      session?.close();
    }
  };
  await Promise.all(Array.from({ length: services.transport.maxConnections }, lane));
  if (awayFault !== null) await recordServerUnreachable(services, awayFault);
}

/** Nobody was there to take what is due: that was a try of each, and the next is later. */
async function recordServerUnreachable(
  { db, clock, log }: MailServices,
  fault: string,
): Promise<void> {
  const now = clock();
  const due = and(eq(mails.state, "waiting"), lte(mails.dueAt, now), isUnclaimed(now));
  const given = await db
    .update(mails)
    .set({
      state: "refused",
      doneAt: now,
      claimedUntil: null,
      fault,
      attempts: sql`${mails.attempts} + 1`,
    })
    .where(
      and(
        due,
        or(
          gte(mails.attempts, maxAttempts - 1),
          lt(mails.createdAt, daysBefore(now, waitingLifetimeDays)),
        ),
      ),
    )
    .returning({ id: mails.id });
  for (const { id } of given) log.warn("mail.refused", { mail: id });
  const tries = await db.selectDistinct({ before: mails.attempts }).from(mails).where(due);
  for (const { before } of tries)
    await db
      .update(mails)
      .set({
        attempts: before + 1,
        fault,
        dueAt: new Date(now.getTime() + retryDelayMs(before + 1)),
      })
      .where(and(due, eq(mails.attempts, before)));
}

/** Takes mails that nobody else is at. */
async function claimBatch({ db, clock }: MailServices): Promise<QueuedMail[]> {
  const now = clock();
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, "waiting"), lte(mails.dueAt, now), isUnclaimed(now)))
    .orderBy(asc(mails.dueAt))
    .limit(batchSize)
    .for("update", { skipLocked: true });
  return db
    .update(mails)
    .set({ claimedUntil: new Date(now.getTime() + claimMs) })
    .where(inArray(mails.id, due))
    .returning();
}

const isUnclaimed = (now: Date) => or(isNull(mails.claimedUntil), lt(mails.claimedUntil, now));

/** True when the session is as good as before. */
async function sendOne(
  services: MailServices,
  session: Session,
  mail: QueuedMail,
): Promise<boolean> {
  const { db, clock, sender } = services;
  const letter = await loadContent(services, mail);
  if (letter === "kept back") return true;
  if (!letter) {
    await db.delete(mails).where(eq(mails.id, mail.id));
    return true;
  }
  if (!z.regexes.html5Email.test(mail.recipient)) {
    await recordOutcome(services, mail, {
      kind: "refused",
      error: "This is not an e-mail address.",
    });
    return true;
  }
  const message = await composeMail(sender(), { ...mail, date: clock() }, letter);
  const outcome = await session.deliver(message, () => markSending(services, mail));
  if (outcome) await recordOutcome(services, mail, outcome);
  return outcome?.kind === "sent";
}

/**
 * Words that cannot be written now, because a file of the city is being mended, must not hold up
 * other mails.
 */
async function loadContent(
  services: MailServices,
  mail: QueuedMail,
): Promise<MailContent | null | "kept back"> {
  if (mail.template === null) return mail;
  try {
    return mail.about === null ? null : await services.renderTemplate(mail.template, mail.about);
  } catch (error) {
    services.log.error("mail.not_written", { template: mail.template, ...errorFields(error) });
    await recordOutcome(services, mail, {
      kind: "later",
      error: "Its words could not be written.",
    });
    return "kept back";
  }
}

/**
 * Marks a mail as leaving. False if this process took longer than its claim, so that another may
 * have sent the mail.
 */
async function markSending(
  { db, clock }: MailServices,
  { id, claimedUntil }: QueuedMail,
): Promise<boolean> {
  const until = new Date(clock().getTime() + claimMs);
  const ours = and(
    eq(mails.id, id),
    eq(mails.state, "waiting"),
    claimedUntil ? eq(mails.claimedUntil, claimedUntil) : isNull(mails.claimedUntil),
  );
  const marked = await db
    .update(mails)
    .set({ state: "sending", claimedUntil: until })
    .where(ours)
    .returning({ id: mails.id });
  return marked.length > 0;
}

async function release({ db }: MailServices, { id }: QueuedMail): Promise<void> {
  await db
    .update(mails)
    .set({ claimedUntil: null })
    .where(and(eq(mails.id, id), eq(mails.state, "waiting")));
}

async function recordOutcome(
  { db, clock, log }: MailServices,
  mail: QueuedMail,
  outcome: Outcome,
): Promise<void> {
  const now = clock();
  const attempts = mail.attempts + 1;
  const isOld = mail.createdAt < daysBefore(now, waitingLifetimeDays);
  const isOver = outcome.kind !== "later" || attempts >= maxAttempts || isOld;
  const state = outcome.kind === "later" ? (isOver ? "refused" : "waiting") : outcome.kind;
  const fault = outcome.kind === "sent" ? null : outcome.error;
  await db
    .update(mails)
    .set({
      state,
      attempts,
      fault,
      claimedUntil: null,
      doneAt: isOver ? now : null,
      ...(isOver ? {} : { dueAt: new Date(now.getTime() + retryDelayMs(attempts)) }),
      // What has arrived need not lie here too: to whom and when is enough.
      ...(state === "sent" ? { subject: "", text: "", html: null, headers: {} } : {}),
    })
    .where(eq(mails.id, mail.id));
  // What the server said may name the reader, so it stays in the table.
  if (state === "refused" || state === "bounced" || state === "unclear")
    log.warn(`mail.${state}`, { mail: mail.id });
}

/**
 * Mails that a process was at when it ended. One that still waited is free again. One that was
 * being sent may have been taken or not, which nobody can find out: it is not sent again by itself,
 * unless a second time leaves no second mail.
 */
export async function releaseAbandoned(
  { db, clock, transport, log }: MailServices,
  isAlone: boolean,
): Promise<void> {
  const now = clock();
  const lost = isAlone ? isNotNull(mails.claimedUntil) : lt(mails.claimedUntil, now);
  await db
    .update(mails)
    .set({ claimedUntil: null })
    .where(and(eq(mails.state, "waiting"), lost));
  const left = and(eq(mails.state, "sending"), lost);
  const found = await db
    .update(mails)
    .set(
      transport.kind === "files"
        ? { state: "waiting", claimedUntil: null }
        : {
            state: "unclear",
            claimedUntil: null,
            doneAt: now,
            fault: "The server stopped while this was being sent.",
          },
    )
    .where(left)
    .returning({ id: mails.id });
  if (transport.kind !== "files")
    for (const { id } of found) log.warn("mail.unclear", { mail: id });
}
