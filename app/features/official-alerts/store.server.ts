import { hash } from "node:crypto";
import { and, desc, eq, gt, inArray, isNotNull, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows, lockRow } from "../../../db/rows.ts";
import type { SharedRead } from "../../../db/shared-reads.ts";
import { type Clock, daysBefore } from "../../lib/dates.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { alerts } from "../alerts/schema.server.ts";
import { archiveDays, endOtherAlerts, upsertAlert } from "../alerts/store.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import {
  applies,
  type Choice,
  isHidden,
  isShown,
  isWaiting,
  type OfficialAlert,
  planChanges,
} from "./plan.ts";
import type { AlertList } from "./read.server.ts";
import { officialAlerts } from "./schema.server.ts";

/** A short id, because those of the Weather Service are too long to type. */
export const shortId = (key: string) => hash("sha256", key).slice(0, 6);

/** Where readers find the whole text of an alert. */
export const officialAlertId = (key: string) => `alert-${shortId(key)}`;

/** More alerts do not apply at the same time. */
const maxRead = 100;

/** The alerts that the Weather Service lists, those that end last first. */
export const storedOfficialAlerts: SharedRead<OfficialAlert[]> = {
  name: "official-alerts",
  tags: [cacheTags.weather],
  load: (db) =>
    db
      .select()
      .from(officialAlerts)
      .where(eq(officialAlerts.isListed, true))
      .orderBy(desc(officialAlerts.endsAt))
      .limit(maxRead),
};

/** Applies a list of the Weather Service, and shows, changes and ends alerts accordingly. */
export async function applyList(tx: Database, clock: Clock, settings: Choice, list: AlertList) {
  await adoptEnds(tx);
  const known = await tx.select().from(officialAlerts);
  const messages = list.messages.map((message) => ({
    ...message,
    sentAt: new Date(message.sentAt),
    endsAt: new Date(message.endsAt),
  }));
  const changes = planChanges(known, { messages, isComplete: list.isComplete }, clock());
  for (const alert of changes)
    await tx
      .insert(officialAlerts)
      .values(alert)
      .onConflictDoUpdate({ target: officialAlerts.key, set: alert });
  await publish(tx, clock, settings, changes.length > 0);
}

/** Shows nothing of a source that could not be asked for too long. It may come back. */
export async function endStale(tx: Database, clock: Clock, settings: Choice): Promise<void> {
  await adoptEnds(tx);
  const changed = await tx
    .update(officialAlerts)
    .set({ isListed: false })
    .where(and(eq(officialAlerts.isListed, true), gt(officialAlerts.endsAt, clock())))
    .returning({ key: officialAlerts.key });
  if (changed.length > 0) await publish(tx, clock, settings, true);
}

/** An editor can also end an official alert like any other. Then it stays hidden. */
export async function adoptEnds(tx: Database): Promise<void> {
  const ended = await tx
    .update(alerts)
    .set({ endsAt: sql`least(${alerts.endsAt}, ${alerts.endedAt})`, endedAt: null })
    .where(and(eq(alerts.issuer, "official"), isNotNull(alerts.endedAt)))
    .returning({ key: alerts.externalId });
  if (ended.length === 0) return;
  const keys = ended.flatMap(({ key }) => key ?? []);
  await tx
    .update(officialAlerts)
    .set({ decision: "hidden" })
    .where(and(eq(officialAlerts.isListed, true), inArray(officialAlerts.key, keys)));
  await purge(tx, [cacheTags.weather]);
}

/** Makes the alerts of all pages those that should be shown now. */
async function publish(tx: Database, clock: Clock, settings: Choice, isChanged: boolean) {
  const now = clock();
  const current = await tx.select().from(officialAlerts).where(gt(officialAlerts.endsAt, now));
  const shown = current.filter((alert) => isShown(alert, settings, now));
  const keys = shown.map(({ key }) => key);
  for (const { key, event, severity, sentAt, endsAt } of shown)
    await upsertAlert(tx, clock, "official", key, {
      // The headline also names both times and the office, which fills half the screen of a phone.
      text: event,
      level: severity === "Extreme" || severity === "Severe" ? "urgent" : "notice",
      link: `/weather#${officialAlertId(key)}`,
      startsAt: sentAt,
      endsAt,
    });
  await endOtherAlerts(tx, clock, "official", keys);
  if (isChanged) await purge(tx, [cacheTags.weather]);
}

/** Deletes what the archive of alerts no longer lists. */
export const deleteOldOfficialAlerts = ({ db, clock }: Services): Promise<number> =>
  deleteRows(db, officialAlerts, lt(officialAlerts.endsAt, daysBefore(clock(), archiveDays)));

export async function listWaitingAlerts(
  db: Database,
  { site, clock }: Pick<Services, "site" | "clock">,
) {
  const settings = site.read(officialAlertsFile);
  if (!settings) return [];
  const stored = await db.select().from(officialAlerts);
  return stored.filter((alert) => isWaiting(alert, settings, clock()));
}

export async function listHidden(db: Database, { clock }: Pick<Services, "clock">) {
  const stored = await db.select().from(officialAlerts);
  return stored.filter((alert) => isHidden(alert, clock()));
}

/**
 * Decides about an alert that waits, or shows one that was hidden; with "any", about each that still
 * applies. Returns null for any other alert.
 */
export async function decideAlert(
  tx: Database,
  { site, clock }: Pick<Services, "site" | "clock">,
  key: string,
  decision: "approved" | "hidden",
  which: "waiting" | "any" = "waiting",
): Promise<OfficialAlert | null> {
  const settings = site.read(officialAlertsFile);
  const alert = await lockRow(tx, officialAlerts, eq(officialAlerts.key, key));
  if (!settings || !alert) return null;
  const now = clock();
  const isOpen =
    which === "any"
      ? applies(alert, now)
      : isWaiting(alert, settings, now) || (decision === "approved" && isHidden(alert, now));
  if (!isOpen) return null;
  await adoptEnds(tx);
  await tx.update(officialAlerts).set({ decision }).where(eq(officialAlerts.key, key));
  await publish(tx, clock, settings, true);
  return alert;
}
