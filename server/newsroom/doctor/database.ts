import { sql } from "drizzle-orm";
import { z } from "zod";
import { shortTimestamp } from "../../../app/lib/dates.ts";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { queryRows } from "../../../db/backup/dump.ts";
import type { Database } from "../../../db/database.ts";
import journal from "../../../db/migrations/meta/_journal.json" with { type: "json" };
import { hasJobQueue } from "../../process/jobs.ts";
import { isDamage, restoreAdvice } from "../../process/known-errors.ts";
import type { Config } from "../../site/config.ts";
import type { ServerCommandContext } from "../commands.ts";

const maxClockDifferenceMs = 5_000;
/**
 * If no job has finished for longer than this, something is wrong: a job is due every minute, and
 * the queue is polled twice a minute.
 */
const maxIdleMinutes = 5;

/** Checks the migrations of the database, and compares its clock with ours. */
export async function checkDatabase(
  context: ServerCommandContext,
  db: Database,
  timeZone: string,
): Promise<Finding[]> {
  const askedAt = context.clock().getTime();
  const [state] = await queryRows(
    db,
    sql`select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
          extract(epoch from now())::float8 * 1000 as time,
          (select max(created_at) from drizzle.__drizzle_migrations)::float8 as migrated`,
    z.object({ version: z.string(), bytes: z.number(), time: z.number(), migrated: z.number() }),
  );
  if (!state) return [];
  const { version, bytes, time, migrated } = state;
  const kind = context.config.databaseUrl === undefined ? "built in" : "Postgres";
  const expected = journal.entries.at(-1)?.when ?? 0;
  // The database read its clock between the question and the answer, which a busy machine can delay.
  const difference = Math.max(askedAt - time, time - context.clock().getTime());
  return [
    migrated <= expected
      ? good(`${kind}, version ${version.split(" ")[0]}, ${formatSize(bytes)}, tables up to date`)
      : bad(
          "A newer version of Harborline has migrated this database.",
          "Update Harborline on this machine.",
        ),
    {
      ...(difference < maxClockDifferenceMs
        ? good(shortTimestamp(context.clock(), timeZone))
        : bad(
            `The clocks of this machine and of the database differ by ${Math.round(difference / 1000)} seconds.`,
            'Turn on time synchronization: run "timedatectl set-ntp true".',
          )),
      about: "clock",
    },
  ];
}

/** All other queries wait while a table is read, so reading them all has a limit. */
const readTablesTimeoutMs = 3_000;

/**
 * Reads the tables of the built-in database, small ones first, to find damaged files. Postgres
 * servers have tools of their own for this purpose.
 */
export async function checkTables(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  db: Database,
  timeoutMs = readTablesTimeoutMs,
): Promise<Finding | null> {
  if (databaseUrl !== undefined) return null;
  const tables = await queryRows(
    db,
    sql`select oid::regclass::text as name, case relkind when 't' then 'chunk_data' else 'entry' end as counted
        from pg_class where relkind in ('r', 't') order by relpages, relname`,
    z.object({ name: z.string(), counted: z.string() }),
  );
  const deadline = performance.now() + timeoutMs;
  const damaged: string[] = [];
  let readCount = 0;
  for (const { name, counted } of tables) {
    if (performance.now() > deadline) break;
    // This reads the table itself, whereas `count(*)` may read only an index.
    const query = sql.raw(`select count(${counted}) from ${name} as entry`);
    await db.execute(query).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      damaged.push(name);
    });
    readCount += 1;
  }
  if (damaged.length > 0)
    return bad(
      `The files of ${damaged.length === 1 ? "this table" : "these tables"} are damaged: ${damaged.join(", ")}.`,
      `${restoreAdvice(dataDir)} Choose a backup that was made before the damage.`,
    );
  return good(
    readCount === tables.length
      ? `all ${readCount} are readable`
      : `${readCount} are readable; ${tables.length - readCount} were not checked within the limit of ${timeoutMs / 1_000} seconds`,
  );
}

export async function checkJobs(
  { isServing }: Pick<ServerCommandContext, "isServing">,
  db: Database,
): Promise<Finding> {
  if (!(await hasJobQueue(db)))
    return warning("No server has used this database yet.", 'Start one with "npm start".');
  const [state] = await queryRows(
    db,
    sql`select extract(epoch from now() - max(completed_on) filter (where state = 'completed'))::float8 / 60 as "idleMinutes",
          count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day')::int as failed,
          extract(epoch from now() - min(created_on))::float8 / 60 as since
        from pgboss.job where name not like '\\_\\_pgboss%'`,
    z.object({
      idleMinutes: z.number().nullable(),
      failed: z.number(),
      since: z.number().nullable(),
    }),
  );
  const idleMinutes = state?.idleMinutes ?? state?.since ?? 0;
  // No job could run before the server started.
  const overdueMinutes = Math.min(idleMinutes, process.uptime() / 60);
  if (isServing && overdueMinutes > maxIdleMinutes)
    return bad(
      `No job has finished for ${Math.round(overdueMinutes)} minutes.`,
      "Search the server's log for job.failed and jobs.error, then restart the server.",
    );
  const failed = state?.failed ?? 0;
  return failed > 0
    ? warning(
        `${formatCount(failed, "job")} failed within the last day.`,
        "Search the server's log for job.failed to find the reason.",
      )
    : good(
        state?.idleMinutes == null
          ? "none has been due yet"
          : `the last one finished ${idleMinutes < 1 ? "just now" : `${formatCount(Math.round(idleMinutes), "minute")} ago`}`,
      );
}
