import { eq, lt } from "drizzle-orm";
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
import type { SiteContent } from "../../../site-files/site-file.server.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { SubmissionRef } from "../../forms/model.ts";
import { mailEditors, type Recipients } from "../../forms/notify-newsroom.server.ts";
import { deskMailings } from "../../forms/schema.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { listWaitingAlerts } from "../../official-alerts/store.server.ts";
import { deskFile } from "../files.server.ts";
import { deskAlertsPath, mailRetentionDays } from "../model.ts";
import type { DeskServices } from "../services.ts";
import { countWaiting } from "../waiting/list.server.ts";
import { submissionPath } from "../waiting/model.ts";

export const summaryTemplate = "desk:summary";

/** When the summary of what waits is sent, in the city's time. */
const summaryTime = "08:00";
/** A server that was down at 08:00 still sends the summary until noon, but not later. */
const lateSummaryMs = 4 * 3_600_000;

/** Finds who gets the emails about submissions: `notifyNewsroom` chooses among them. */
export function findRecipients(site: SiteContent): Recipients {
  const desk = site.read(deskFile);
  const { email, tips } = site.read(contactFile);
  const { origin } = site.read(siteSettingsFile);
  return {
    newsroom: email,
    tips,
    desk: desk && {
      editors: desk.editors.map((editor) => editor.email),
      rhythm: desk.mail,
      urlOf: (submission) => origin + submissionPath(submission),
    },
  };
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
  if ((await db.$count(deskMailings, eq(deskMailings.key, key))) > 0) return "nothing";
  const waiting =
    (await countWaiting({ db, site })) + (await listWaitingAlerts(db, { site, clock })).length;
  const editors = waiting > 0 ? desk.editors.map(({ email }) => email) : [];
  await db.transaction((tx) => mailEditors(tx, clock, editors, [], summaryTemplate, key, now));
  return editors.length > 0 ? "queued" : "nothing";
}

/**
 * Returns the submissions that an email shows. From now on, no submission can be added to it. Null
 * if the email was deleted meanwhile.
 */
export async function sealMailing(
  db: Database,
  clock: Clock,
  id: string,
): Promise<SubmissionRef[] | null> {
  const [mailing] = await db
    .update(deskMailings)
    .set({ renderedAt: clock() })
    .where(eq(deskMailings.id, id))
    .returning({ submissions: deskMailings.submissions });
  return mailing?.submissions ?? null;
}

export const deleteOldMailings = (db: Database, clock: Clock): Promise<number> =>
  deleteRows(db, deskMailings, lt(deskMailings.createdAt, daysBefore(clock(), mailRetentionDays)));

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
