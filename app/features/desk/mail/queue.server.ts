import { eq, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { deleteRows } from "../../../../db/rows.ts";
import {
  type Clock,
  calendarDay,
  daysBefore,
  instantAt,
  shortTimestamp,
} from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { SubmissionDesk, SubmissionRef } from "../../forms/notify-newsroom.server.ts";
import { queueMail, queueTemplateMails } from "../../mail/queue.server.ts";
import { listWaitingAlerts } from "../../official-alerts/store.server.ts";
import { type DeskSettings, deskFile, type Editor } from "../files.server.ts";
import { deskAlertsPath, mailRetentionDays } from "../model.ts";
import type { DeskServices } from "../services.ts";
import { countWaiting } from "../waiting/list.server.ts";
import { deskMails } from "./schema.server.ts";

export const submissionsTemplate = "desk:submissions";
export const summaryTemplate = "desk:summary";

const halfHourMs = 30 * 60_000;

/** When the summary of what waits is sent, in the city's time. */
const summaryTime = "08:00";
/** A server that was down at 08:00 still sends the summary until noon, but not later. */
const lateSummaryMs = 4 * 3_600_000;

/**
 * Returns the function that queues an email about a submission to all editors. It runs in the
 * transaction that stores the submission.
 */
export const createDeskNotifier =
  (clock: Clock, desk: DeskSettings): SubmissionDesk["notify"] =>
  async (tx, submission, collectUntil) => {
    const now = clock();
    const nextHalfHour = new Date((Math.floor(now.getTime() / halfHourMs) + 1) * halfHourMs);
    const dueAt = desk.mail === "half-hourly" ? nextHalfHour : collectUntil;
    const queue = (key: string, due: Date) =>
      queueForEditors(tx, clock, desk.editors, {
        key,
        submissions: [submission],
        template: submissionsTemplate,
        dueAt: due,
      });
    // Somebody may have sent the collected email before it was due.
    if (dueAt && (await queue(`collected:${dueAt.toISOString()}`, dueAt))) return;
    await queue(`${submission.kind}:${submission.id}`, now);
  };

type DeskMail = { key: string; submissions: SubmissionRef[]; template: string; dueAt: Date };

/**
 * Queues an email to every editor, or adds the submissions to the queued one with the same key.
 * Returns false if that email was rendered already, because it can no longer change.
 */
async function queueForEditors(
  tx: Database,
  clock: Clock,
  editors: Editor[],
  { key, submissions, template, dueAt }: DeskMail,
): Promise<boolean> {
  const [mail] = await tx
    .insert(deskMails)
    .values({ key, submissions, createdAt: clock() })
    .onConflictDoUpdate({
      target: deskMails.key,
      set: { submissions: sql`${deskMails.submissions} || ${JSON.stringify(submissions)}::jsonb` },
      setWhere: isNull(deskMails.renderedAt),
    })
    .returning({ id: deskMails.id });
  if (!mail) return false;
  await queueTemplateMails(
    tx,
    clock,
    editors.map(({ email }) => ({
      key: `desk:${mail.id}:${email}`,
      to: email,
      template,
      about: mail.id,
      dueAt,
    })),
  );
  return true;
}

/**
 * Queues the morning's summary of what waits. A day on which nothing waits is stored too: otherwise
 * a submission that arrives a minute later would cause a summary.
 */
export async function queueDueSummary({
  db,
  clock,
  site,
}: DeskServices): Promise<"queued" | "nothing"> {
  const desk = site.read(deskFile);
  if (!desk) return "nothing";
  const now = clock();
  const { timeZone } = site.read(siteSettingsFile);
  const day = calendarDay(now, timeZone);
  const lateMs = now.getTime() - instantAt(day, summaryTime, timeZone).getTime();
  if (lateMs < 0 || lateMs > lateSummaryMs) return "nothing";
  const key = `summary:${day}`;
  if ((await db.$count(deskMails, eq(deskMails.key, key))) > 0) return "nothing";
  const waiting =
    (await countWaiting({ db, site })) + (await listWaitingAlerts(db, { site, clock })).length;
  const editors = waiting > 0 ? desk.editors : [];
  await db.transaction((tx) =>
    queueForEditors(tx, clock, editors, {
      key,
      submissions: [],
      template: summaryTemplate,
      dueAt: now,
    }),
  );
  return editors.length > 0 ? "queued" : "nothing";
}

/**
 * Returns the submissions that an email shows. From now on, no submission can be added to it. Null
 * if the email was deleted meanwhile.
 */
export async function sealDeskMail(
  db: Database,
  clock: Clock,
  id: string,
): Promise<SubmissionRef[] | null> {
  const [mail] = await db
    .update(deskMails)
    .set({ renderedAt: clock() })
    .where(eq(deskMails.id, id))
    .returning({ submissions: deskMails.submissions });
  return mail?.submissions ?? null;
}

export const deleteOldDeskMails = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, deskMails, lt(deskMails.createdAt, daysBefore(clock(), mailRetentionDays)));

/** Emails the editors once about each official alert that waits, and again if it becomes worse. */
export async function mailWaitingAlerts({
  db,
  clock,
  site,
  mail,
}: DeskServices & {
  mail: Pick<Services["mail"], "wake">;
}): Promise<void> {
  const editors = site.read(deskFile)?.editors ?? [];
  const { origin, timeZone } = site.read(siteSettingsFile);
  let isQueued = false;
  for (const alert of editors.length > 0 ? await listWaitingAlerts(db, { site, clock }) : [])
    for (const { email } of editors) {
      const { key, severity, headline, sender, endsAt } = alert;
      const isNew = await queueMail(db, clock, {
        key: `official-alert:${key}:${severity}:${email}`,
        to: email,
        subject: "An official alert waits for an editor",
        text: `${headline}\n${severity}, sent by ${sender}, until ${shortTimestamp(endsAt, timeZone)}.\n\nReaders see it on every page as soon as an editor shows it there:\n${origin}${deskAlertsPath}\n`,
      });
      isQueued ||= isNew;
    }
  if (isQueued) mail.wake();
}
