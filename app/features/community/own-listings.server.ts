import { asc, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows, findRow, lockRow } from "../../../db/rows.ts";
import type { SharedRead } from "../../../db/shared-reads.ts";
import { addDays, calendarDay } from "../../lib/dates.ts";
import { isUuid } from "../../lib/is-uuid.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purge } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { communityListings } from "./schema.server.ts";

export type OwnListing = typeof communityListings.$inferSelect;

/** How long a listing is stored after it ended, so that editors can extend it. */
const endedRetentionDays = 30;
const maxListed = 500;

export const ownListings: SharedRead<OwnListing[]> = {
  name: "community-listings",
  tags: [cacheTags.community],
  load: (db) =>
    db
      .select()
      .from(communityListings)
      .orderBy(asc(communityListings.createdAt), asc(communityListings.id))
      .limit(maxListed),
};

/** Postgres fails on a query with an id that is not a UUID, so such an id matches no row. */
const hasId = (id: string) => (isUuid(id) ? eq(communityListings.id, id) : sql`false`);

export const findOwnListing = (db: Database, id: string): Promise<OwnListing | null> =>
  findRow(db, communityListings, hasId(id));

export const lockOwnListing = (tx: Database, id: string): Promise<OwnListing | null> =>
  lockRow(tx, communityListings, hasId(id));

export async function writeOwnListing(
  tx: Database,
  { id, createdAt, ...fields }: OwnListing,
): Promise<void> {
  await tx
    .insert(communityListings)
    .values({ id, createdAt, ...fields })
    .onConflictDoUpdate({ target: communityListings.id, set: fields });
  await purge(tx, [cacheTags.community]);
}

export async function deleteOwnListing(tx: Database, id: string): Promise<void> {
  await tx.delete(communityListings).where(eq(communityListings.id, id));
  await purge(tx, [cacheTags.community]);
}

export function deleteEndedListings({
  db,
  clock,
  site,
}: Pick<Services, "db" | "clock" | "site">): Promise<number> {
  const today = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const isOld = lt(communityListings.until, addDays(today, -endedRetentionDays));
  return deleteRows(db, communityListings, isOld);
}
