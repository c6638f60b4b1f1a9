import { z } from "zod";
import type { PgliteClient } from "./client.ts";

/**
 * A checkpoint is made when the write-ahead log is longer than this. Recovery after a crash reads
 * at most this much of the log, plus what was written within a minute.
 */
const maxLogBytes = 32 * 1024 * 1024;

/** A table with a larger share of outdated rows is vacuumed, as by Postgres's autovacuum. */
const maxDeadShare = 0.2;
/** A table with a larger share of changed rows is analyzed, as by Postgres's autovacuum. */
const maxChangedShare = 0.1;
/**
 * This many outdated or changed rows are always tolerated, so that small tables are not vacuumed.
 */
const toleratedRows = 200;

const logSize = z.object({ bytes: z.number() });
const tableName = z.object({ name: z.string() });

/**
 * Does what Postgres does in background processes, which PGlite does not have. Without checkpoints
 * the write-ahead log grows until the database is closed, and without VACUUM a table grows whenever
 * its rows change. Call this about once per minute. Each call vacuums only one table, because all
 * other queries wait meanwhile.
 */
export async function maintain({
  query,
  exec,
}: Pick<PgliteClient, "query" | "exec">): Promise<void> {
  const log = await query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
  );
  if (logSize.parse(log.rows[0]).bytes > maxLogBytes) await exec("checkpoint");
  const { rows } = await query(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
     where n_dead_tup > $1::float8 + $2::float8 * n_live_tup
       or n_mod_since_analyze > $1::float8 + $3::float8 * n_live_tup
     order by n_dead_tup desc limit 1`,
    [toleratedRows, maxDeadShare, maxChangedShare],
  );
  for (const { name } of z.array(tableName).parse(rows)) await exec(`vacuum (analyze) ${name}`);
}
