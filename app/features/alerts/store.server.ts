import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows, lockRow } from "../../../db/rows.ts";
import { readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import { type Clock, daysBefore, instantAt } from "../../lib/dates.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { type FileAlert, noticeFile } from "./files.server.ts";
import type { Alert } from "./model.ts";
import { alerts } from "./schema.server.ts";

type Row = typeof alerts.$inferSelect;
export type AlertContent = Pick<Row, "text" | "level" | "link" | "startsAt" | "endsAt">;

export const archiveDays = 365;
const maxRead = 1_000;

/** All alerts that pages may show, newest first. */
export const storedAlerts: SharedRead<readonly Row[]> = {
  name: "alerts",
  tags: [cacheTags.alerts],
  load: (db) =>
    db.select().from(alerts).orderBy(desc(alerts.startsAt), desc(alerts.id)).limit(maxRead),
};

const toAlert = ({ externalId, endedAt, endsAt, ...row }: Row): Alert => ({
  ...row,
  isStored: true,
  canDelete: externalId === null,
  endsAt: endedAt && endedAt < endsAt ? endedAt : endsAt,
});

/** When this process first saw an alert of the file, if the database does not know it. */
const firstSeen = new WeakMap<FileAlert, Date>();

/** For an alert of the file that the database does not have, for example while it is down. */
function fromFile(fileAlert: FileAlert, timeZone: string, now: Date): Alert {
  const seenAt = firstSeen.get(fileAlert) ?? now;
  firstSeen.set(fileAlert, seenAt);
  return {
    ...toContent(fileAlert, timeZone, seenAt),
    id: fileAlert.externalId,
    issuer: "file",
    updatedAt: seenAt,
    isStored: false,
    canDelete: false,
  };
}

const toContent = (
  { text, level, link, until }: FileAlert,
  timeZone: string,
  startsAt: Date,
): AlertContent => ({
  text,
  level,
  link: link ?? null,
  startsAt,
  endsAt: instantAt(until.slice(0, 10), until.slice(11), timeZone),
});

/**
 * Reads the alerts that run or ran in the past year, newest first. The file decides which of its
 * alerts run; the database only knows whether somebody ended one of them. If the database is
 * unavailable, the result is the last known alerts.
 */
export async function readAlerts({ site, db, clock }: Pick<Services, "site" | "db" | "clock">) {
  const now = clock();
  const { timeZone } = site.read(siteSettingsFile);
  const rows = await readSharedOr(db, storedAlerts, []);
  const inFile = site.read(noticeFile);
  const stored = new Set(rows.map(({ externalId }) => externalId));
  const own = new Set(inFile.map(({ externalId }) => externalId));
  const isShown = ({ issuer, externalId }: Row) =>
    issuer !== "file" || externalId === null || own.has(externalId);
  return [
    ...inFile
      .filter(({ externalId }) => !stored.has(externalId))
      .map((each) => fromFile(each, timeZone, now)),
    ...rows.filter(isShown).map(toAlert),
  ].filter(({ startsAt, endsAt }) => startsAt < endsAt && endsAt > daysBefore(now, archiveDays));
}

export async function createAlert(tx: Database, content: AlertContent): Promise<string> {
  const [row] = await tx
    .insert(alerts)
    .values({ ...content, issuer: "editor", updatedAt: content.startsAt })
    .returning({ id: alerts.id });
  if (!row) throw new Error("The database returned no row for the new alert.");
  await purge(tx, [cacheTags.alerts]);
  return row.id;
}

/**
 * Stores an alert of an issuer that recognizes it by an id. It stays ended if somebody ended it.
 * Nothing is purged if nothing has changed.
 */
export async function upsertAlert(
  tx: Database,
  clock: Clock,
  issuer: Exclude<Row["issuer"], "editor">,
  externalId: string,
  content: AlertContent,
): Promise<void> {
  const isFile = issuer === "file";
  const { startsAt, ...rest } = content;
  const changed = await tx
    .insert(alerts)
    .values({ ...content, issuer, externalId, updatedAt: clock() })
    .onConflictDoUpdate({
      target: [alerts.issuer, alerts.externalId],
      // An alert of the file began when it was first seen.
      set: { ...rest, ...(isFile ? {} : { startsAt }), updatedAt: clock() },
      setWhere: sql`(${alerts.text}, ${alerts.level}, ${alerts.link}, ${alerts.endsAt}, ${isFile ? sql`excluded."startsAt"` : alerts.startsAt}) is distinct from (excluded.text, excluded.level, excluded.link, excluded."endsAt", excluded."startsAt")`,
    })
    .returning({ id: alerts.id });
  await purgeChanged(tx, changed);
}

async function purgeChanged(tx: Database, changed: { id: string }[]): Promise<string[]> {
  if (changed.length > 0) await purge(tx, [cacheTags.alerts]);
  return changed.map(({ id }) => id);
}

/** Ends alerts now. Returns the ids of those that were running. */
export const endAlerts = (tx: Database, clock: Clock, ids: string[]): Promise<string[]> =>
  end(tx, clock, inArray(alerts.id, ids));

/**
 * Ends the alerts of an issuer except those with these ids. An alert that its issuer has again later
 * runs again.
 */
export async function endOtherAlerts(
  tx: Database,
  clock: Clock,
  issuer: Exclude<Row["issuer"], "editor">,
  externalIds: string[],
): Promise<void> {
  const now = clock();
  const ended = await tx
    .update(alerts)
    .set({ endsAt: now, updatedAt: now })
    .where(
      and(
        eq(alerts.issuer, issuer),
        notInArray(alerts.externalId, externalIds),
        gt(alerts.endsAt, now),
      ),
    )
    .returning({ id: alerts.id });
  await purgeChanged(tx, ended);
}

async function end(tx: Database, clock: Clock, which: SQL | undefined): Promise<string[]> {
  const now = clock();
  const ended = await tx
    .update(alerts)
    .set({ endedAt: now, updatedAt: now })
    .where(and(which, isNull(alerts.endedAt), gt(alerts.endsAt, now)))
    .returning({ id: alerts.id });
  return purgeChanged(tx, ended);
}

export const lockAlert = (tx: Database, id: string) => lockRow(tx, alerts, eq(alerts.id, id));

/** Changes an alert of an editor. Returns false if it is already over. */
export async function changeAlert(
  tx: Database,
  clock: Clock,
  id: string,
  change: Partial<Omit<AlertContent, "startsAt">>,
): Promise<boolean> {
  const now = clock();
  const changed = await tx
    .update(alerts)
    .set({ ...change, updatedAt: now })
    .where(
      and(
        eq(alerts.id, id),
        eq(alerts.issuer, "editor"),
        isNull(alerts.endedAt),
        gt(alerts.endsAt, now),
      ),
    )
    .returning({ id: alerts.id });
  return (await purgeChanged(tx, changed)).length > 0;
}

/**
 * Deletes alerts that were published by mistake, so that no page lists them. Alerts that their
 * issuer still has are not deleted, because they would return. Returns the deleted ids.
 */
export async function deleteAlerts(tx: Database, ids: string[]): Promise<string[]> {
  const deleted = await tx
    .delete(alerts)
    .where(and(inArray(alerts.id, ids), isNull(alerts.externalId)))
    .returning({ id: alerts.id });
  return purgeChanged(tx, deleted);
}

/**
 * Stores the alerts of the file, so that the archive has them after they are removed from the file.
 * The row of a removed alert no longer belongs to the file: the same text is a new alert later.
 */
export async function storeFileAlerts({ site, db, clock }: Services): Promise<void> {
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const inFile = site.read(noticeFile);
  await db.transaction(async (tx) => {
    for (const fileAlert of inFile) {
      const content = toContent(fileAlert, timeZone, now);
      if (content.endsAt > now) await upsertAlert(tx, clock, "file", fileAlert.externalId, content);
    }
    const ids = inFile.map(({ externalId }) => externalId);
    const isRemoved = and(
      eq(alerts.issuer, "file"),
      isNotNull(alerts.externalId),
      notInArray(alerts.externalId, ids),
    );
    await end(tx, clock, isRemoved);
    await tx.update(alerts).set({ externalId: null }).where(isRemoved);
  });
}

export function deleteOldAlerts({ db, clock }: Services): Promise<number> {
  const oldest = daysBefore(clock(), archiveDays);
  return deleteRows(db, alerts, or(lt(alerts.endsAt, oldest), lt(alerts.endedAt, oldest)));
}
