import { readFileSync } from "node:fs";
import { z } from "zod";
import type { OpenDatabase } from "../../db/database.ts";

/**
 * Returns the CPU seconds that this process has used and, with Postgres, those of our connections
 * there. On a busy machine only the CPU time says what the work costs.
 */
export async function readCpuSeconds(database: OpenDatabase): Promise<number> {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (database.kind === "postgres" ? await readPostgres(database) : 0);
}

async function readPostgres({ executeSql }: OpenDatabase): Promise<number> {
  const { rows } = await executeSql(
    "select pid from pg_stat_activity where datname = current_database()",
  );
  const nanoseconds = rows.map((row) => {
    const { pid } = z.object({ pid: z.number() }).parse(row);
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
  });
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e9;
}
