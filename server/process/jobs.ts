import { setTimeout as pause } from "node:timers/promises";
import { inArray, sql } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import { z } from "zod";
import { errorFields } from "../../app/lib/log.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import type { Job } from "../../app/platform/feature.ts";
import type { Services } from "../../app/platform/services.ts";
import { queryRows } from "../../db/backup/dump.ts";
import type { Database, OpenDatabase } from "../../db/database.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";

/**
 * The time between two polls of the queue. It is long, because jobs are not urgent, and on PGlite
 * readers' queries wait for each poll.
 */
const defaultPollingSeconds = 30;
const defaultTimeoutMinutes = 15;
const everyMinute = "* * * * *";
export const jobsStopTimeoutMs = 5_000;
const retryStartMs = 5_000;

/**
 * Starts the job queue on our own connection to PGlite or Postgres. The returned function waits for
 * running jobs and stops the queue. On a full disk the site works without jobs until there is
 * enough space, and then the queue starts.
 */
export async function startJobs<S extends Services>(
  database: OpenDatabase,
  jobs: Job<S>[],
  services: S,
  pollingSeconds = defaultPollingSeconds,
): Promise<() => Promise<void>> {
  const start = () => startQueue(database, jobs, services, pollingSeconds);
  const stopping = new AbortController();
  const startLater = async (): Promise<PgBoss | null> => {
    while (!stopping.signal.aborted) {
      await pause(retryStartMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      const boss = stopping.signal.aborted ? null : await start().catch(() => null);
      if (!boss) continue;
      services.log.info("jobs.started");
      return boss;
    }
    return null;
  };
  const started = await start().catch((error: unknown) => {
    if (!findDiskFull(error)) throw error;
    services.log.error("jobs.not_started", errorFields(error));
    return null;
  });
  const queue = started ?? startLater();
  return async () => {
    stopping.abort();
    await (await queue)?.stop({ graceful: true, timeout: jobsStopTimeoutMs });
  };
}

async function startQueue<S extends Services>(
  database: OpenDatabase,
  jobs: Job<S>[],
  services: S,
  pollingSeconds: number,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    backend: database.kind,
    application_name: "harborline",
  });
  boss.on("error", (error) => {
    const queue = "queue" in error ? String(error.queue) : undefined;
    services.log.error("jobs.error", { queue, ...errorFields(error) });
  });
  try {
    await boss.start();
    // Usually nothing has changed since the last start, and two reads are faster than two writes
    // for each job. pg-boss does not change a queue that exists.
    const queues = new Set((await boss.getQueues()).map(({ name }) => name));
    const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
    for (const job of jobs) {
      const expireInSeconds = (job.timeoutMinutes ?? defaultTimeoutMinutes) * 60;
      if (!queues.has(job.name)) {
        await boss.createQueue(job.name, { policy: "stately", expireInSeconds });
        // A new site has its first headlines and events at once.
        if (job.cron === everyMinute) await boss.send(job.name);
      }
      await boss.work(job.name, { pollingIntervalSeconds: pollingSeconds }, async () => {
        try {
          return await job.run(services);
        } catch (error) {
          // The queue retries without logging anything, so the error is logged here.
          services.log.error("job.failed", { job: job.name, ...errorFields(error) });
          throw error;
        }
      });
      if (crons.get(job.name) !== job.cron) await boss.schedule(job.name, job.cron);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

/** Whether a server has ever used the database. */
export async function hasJobQueue(db: Database): Promise<boolean> {
  const query = sql`select to_regclass('pgboss.job') is not null as "exists"`;
  const [queue] = await queryRows(db, query, z.object({ exists: z.boolean() }));
  return queue?.exists ?? false;
}

const jobAgeSchema = z.object({
  job: z.string(),
  sinceSuccess: z.number().nullable(),
  waiting: z.number().nullable(),
});

/**
 * How long ago each job last succeeded, and how long its oldest run has been waiting. All nodes
 * share the queue and report the same values.
 */
export const jobMetrics = (db: Database, jobs: { name: string }[]): MetricGroup => ({
  name: "jobs",
  async read() {
    const rows = await queryRows(
      db,
      sql`select name as job, extract(epoch from now() - max(completed_on) filter (where state = 'completed'))::float8 as "sinceSuccess",
            extract(epoch from now() - min(start_after) filter (where state in ('created', 'retry') and start_after < now()))::float8 as waiting
          from pgboss.job where ${inArray(
            sql`name`,
            jobs.map(({ name }) => name),
          )} group by name`,
      jobAgeSchema,
    );
    const samples = (readAge: (row: z.output<typeof jobAgeSchema>) => number | null) =>
      rows.flatMap((row) => {
        const value = readAge(row);
        return value === null ? [] : [{ labels: { job: row.job }, value }];
      });
    return [
      gauge(
        "harborline_job_last_success_age_seconds",
        "Time since a job last succeeded.",
        samples(({ sinceSuccess }) => sinceSuccess),
      ),
      gauge(
        "harborline_job_waiting_age_seconds",
        "How long the oldest waiting run of a job is overdue.",
        samples(({ waiting }) => waiting ?? 0),
      ),
    ];
  },
});
