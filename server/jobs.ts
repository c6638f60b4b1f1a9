import { PgBoss } from "pg-boss";
import type { Services } from "../app/context.ts";
import { errorFields } from "../app/lib/log.ts";
import type { OpenDatabase } from "../db/client.ts";
import type { OutsideReaders } from "./outside-work.ts";

export type JobServices = Services & OutsideReaders;

/** Work that runs by the clock. Tables are the record; a job only sweeps up what they say is due. */
export type Job<S = JobServices> = { name: string; cron: string; run(services: S): Promise<void> };

/** Nobody waits for these jobs, and on PGlite readers' queries wait while the queue is read. */
const unhurriedSeconds = 30;
const stopWithinMs = 5_000;

/** Starts the queue on our own connection, PGlite or Postgres. The answer stops it, when running jobs are done. */
export async function startJobs<S extends Services>(
  database: OpenDatabase,
  jobs: Job<S>[],
  services: S,
  lookEverySeconds = unhurriedSeconds,
): Promise<() => Promise<void>> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    backend: database.kind,
    application_name: "harborline",
  });
  boss.on("error", (error) => {
    const queue = "queue" in error ? String(error.queue) : undefined;
    services.log.error("jobs.error", { queue, ...errorFields(error) });
  });
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: "stately" });
    await boss.work(job.name, { pollingIntervalSeconds: lookEverySeconds }, async () => {
      try {
        await job.run(services);
      } catch (error) {
        // The queue tries again and says nothing; a promise to readers may hang on it.
        services.log.error("job.failed", { job: job.name, ...errorFields(error) });
        throw error;
      }
    });
    await boss.schedule(job.name, job.cron);
  }
  return () => boss.stop({ graceful: true, timeout: stopWithinMs });
}
