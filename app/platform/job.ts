import type { Services } from "./services.ts";

/**
 * Work that runs on a schedule, on one node only. Tables record which work is due.
 */
export type Job<Context = Services> = {
  name: string;
  cron: string;
  /** The job queue stores the result of a run for a week. */
  run(services: Context): Promise<unknown>;
  /** A run that takes longer is started again. The default is 15 minutes. */
  timeoutMinutes?: number;
};
