import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { deleteRows } from "../../../db/rows.ts";
import { addDays, type Clock, calendarDay, daysBefore } from "../../lib/dates.ts";
import { errorFields } from "../../lib/log.ts";
import type { Services, Tally } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { tallies } from "./schema.server.ts";

export type TallyKind = (typeof tallies.$inferSelect)["kind"];

// The next two limits prevent a flood of requests from filling the table.
/** Longer keys are truncated. */
const maxKeyLength = 200;
/** When a day has this many rows of a kind, further keys are not counted. */
export const maxKeysPerDay = 1_000;
export const tallyRetentionDays = 90;

/** A crash loses the counts of these seconds. A clean stop stores them first. */
const flushDelayMs = 5_000;
/** When this number of different keys of a kind wait for a flush, further keys are not counted. */
export const maxKeysPerFlush = 200;

type Count = { kind: TallyKind; day: string; key: string; count: number };

/** Readers never wait for the database: counts are collected in memory and stored together. */
export function createTallies({
  site,
  db,
  clock,
  log,
}: Pick<Services, "site" | "db" | "clock" | "log">): Tally & { stop(): Promise<void> } {
  const pending = new Map<string, Count>();
  const keyCounts = new Map<TallyKind, number>();
  let timer: NodeJS.Timeout | undefined;
  let lastFlush: Promise<void> = Promise.resolve();

  function add({ kind, day, key, count }: Count): void {
    const existing = pending.get(toPendingKey({ kind, day, key }));
    const keys = keyCounts.get(kind) ?? 0;
    if (existing) existing.count += count;
    else if (keys < maxKeysPerFlush) {
      pending.set(toPendingKey({ kind, day, key }), { kind, day, key, count });
      keyCounts.set(kind, keys + 1);
    }
  }

  async function storePending(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const counts = [...pending.values()];
    pending.clear();
    keyCounts.clear();
    try {
      await storeCounts(db, counts);
    } catch (error) {
      log.warn("tally.not_stored", errorFields(error));
      for (const count of counts) add(count);
      flushLater();
    }
  }

  function flush(): Promise<void> {
    lastFlush = lastFlush.then(storePending);
    return lastFlush;
  }

  function flushLater(): void {
    timer ??= setTimeout(flush, flushDelayMs);
  }

  return {
    count(kind, key) {
      const day = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
      add({ kind, day, key: toStorableKey(key), count: 1 });
      flushLater();
    },
    flush,
    async stop() {
      await flush();
      clearTimeout(timer);
    },
  };
}

const toPendingKey = ({ kind, day, key }: Omit<Count, "count">) => `${kind} ${day} ${key}`;

/** Stores the counts in a single statement, so that either all are stored or none. */
async function storeCounts(db: Database, counts: Count[]): Promise<void> {
  await db.execute(sql`
    insert into ${tallies} (kind, day, key, count)
    select kind, day, key, count
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as given (kind text, day date, key text, count int)
    where exists (
      select from ${tallies} as known
      where (known.kind, known.day, known.key) = (given.kind, given.day, given.key)
    ) or (
      select count(*) from ${tallies} as known where (known.kind, known.day) = (given.kind, given.day)
    ) < ${maxKeysPerDay}
    order by kind, day, key
    on conflict (kind, day, key) do update set count = ${tallies}.count + excluded.count`);
}

export type TallyCount = { key: string; count: number };

/** The counts of the last `days` days, including today; the most frequent first. */
export function listTallies(
  db: Database,
  clock: Clock,
  timeZone: string,
  kind: TallyKind,
  days: number,
): Promise<TallyCount[]> {
  const lastExcludedDay = addDays(calendarDay(clock(), timeZone), -days);
  const count = sql<number>`sum(${tallies.count})::int`;
  return db
    .select({ key: tallies.key, count })
    .from(tallies)
    .where(and(eq(tallies.kind, kind), gt(tallies.day, lastExcludedDay)))
    .groupBy(tallies.key)
    .orderBy(desc(count), tallies.key);
}

export async function deleteOldTallies(
  db: Database,
  clock: Clock,
  timeZone: string,
): Promise<number> {
  const oldest = calendarDay(daysBefore(clock(), tallyRetentionDays), timeZone);
  return deleteRows(db, tallies, lt(tallies.day, oldest));
}

/** Postgres accepts neither NUL nor half of a surrogate pair. */
function toStorableKey(key: string): string {
  return key.replaceAll("\0", "").toWellFormed().slice(0, maxKeyLength).toWellFormed();
}
