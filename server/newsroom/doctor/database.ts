import { sql } from "drizzle-orm";
import { z } from "zod";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { queryRows } from "../../../db/backup/dump.ts";
import { findDamage } from "../../../db/damage.ts";
import type { Database } from "../../../db/database.ts";
import journal from "../../../db/migrations/meta/_journal.json" with { type: "json" };
import { findDiskFull } from "../../../db/pglite/disk-space.ts";
import { restoreAdvice } from "../../process/known-errors.ts";
import type { ServerCommandContext } from "../context.ts";

const maxClockDifferenceMs = 5_000;
/** Jobs are due every minute and looked for every half. */
const maxIdleMinutes = 5;

/** Which database it is, whether its tables are this version's, and whether its clock is ours. */
export async function database(context: ServerCommandContext, db: Database): Promise<Finding[]> {
  const [about] = await queryRows(
    db,
    sql`select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
          extract(epoch from now())::float8 * 1000 as time,
          (select max(created_at) from drizzle.__drizzle_migrations)::float8 as migrated`,
    z.object({ version: z.string(), bytes: z.number(), time: z.number(), migrated: z.number() }),
  );
  if (!about) return [];
  const { version, bytes, time, migrated } = about;
  const which = context.config.databaseUrl === undefined ? "built in" : "Postgres";
  const expected = journal.entries.at(-1)?.when ?? 0;
  const apart = Math.abs(time - context.clock().getTime());
  return [
    migrated === expected
      ? good(
          "database",
          `${which}, version ${version.split(" ")[0]}, ${formatSize(bytes)}, tables up to date`,
        )
      : migrated > expected
        ? bad(
            "database",
            "Its tables are of a newer Harborline than this one.",
            "Update the software on this machine.",
          )
        : bad(
            "database",
            "Its tables are older than this software.",
            "Restart the server: it brings them up to date.",
          ),
    apart < maxClockDifferenceMs
      ? good("clock", context.clock().toISOString().slice(0, 19).replace("T", " ").concat(" UTC"))
      : bad(
          "clock",
          `This machine's clock and the database's are ${Math.round(apart / 1000)} seconds apart.`,
          "Switch on time synchronisation (timedatectl set-ntp true).",
        ),
  ];
}

/** Other queries wait while the tables are read. */
const readTablesTimeoutMs = 3_000;

/**
 * Whether the files of the built-in database hold what they should. A Postgres has checksums and
 * tools of its own.
 */
export async function tables(
  { config: { databaseUrl, dataDir } }: ServerCommandContext,
  db: Database,
): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const report = await findDamage(db, readTablesTimeoutMs).catch((error: unknown) => {
    // Nothing can be written on a full disk, not even for a moment; that is a finding of its own.
    if (findDiskFull(error)) return null;
    throw error;
  });
  if (!report) return [];
  const { damaged, read, unread } = report;
  if (damaged.length > 0) {
    const named = damaged.map(({ table, reason }) => `${table} (${reason})`).join(", ");
    return [
      bad(
        "tables",
        `The files of ${damaged.length === 1 ? "this table" : "these tables"} are damaged: ${named}.`,
        `${restoreAdvice(dataDir)} Use a backup from before the damage.`,
      ),
    ];
  }
  const seconds = readTablesTimeoutMs / 1_000;
  return [
    good(
      "tables",
      unread === 0
        ? `all ${read} can be read`
        : `${read} can be read; ${unread} are too large to be read within ${seconds} seconds`,
    ),
  ];
}

/** Whether the work by the clock gets done. */
export async function jobs(context: ServerCommandContext, db: Database): Promise<Finding[]> {
  const [queue] = await queryRows(
    db,
    sql`select to_regclass('pgboss.job') is not null as "isThere"`,
    z.object({ isThere: z.boolean() }),
  );
  if (!queue?.isThere)
    return [warning("jobs", "No server has run on this database yet.", 'Start one: "npm start".')];
  const [state] = await queryRows(
    db,
    sql`select extract(epoch from now() - max(completed_on) filter (where state = 'completed'))::float8 / 60 as quiet,
          count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day')::int as failed,
          extract(epoch from now() - min(created_on))::float8 / 60 as since
        from pgboss.job where name not like '\\_\\_pgboss%'`,
    z.object({ quiet: z.number().nullable(), failed: z.number(), since: z.number().nullable() }),
  );
  const quiet = state?.quiet ?? state?.since ?? 0;
  if (context.isServing && quiet > maxIdleMinutes)
    return [
      bad(
        "jobs",
        `Nothing was done for ${Math.round(quiet)} minutes.`,
        "Restart the server; its log says job.failed or jobs.error.",
      ),
    ];
  const failed = state?.failed ?? 0;
  return failed > 0
    ? [
        warning(
          "jobs",
          `${formatCount(failed, "job")} failed within a day.`,
          "The log has the reason at job.failed.",
        ),
      ]
    : [
        good(
          "jobs",
          state?.quiet == null
            ? "none was due yet"
            : `the last was done ${quiet < 1 ? "just now" : `${formatCount(Math.round(quiet), "minute")} ago`}`,
        ),
      ];
}
