import type { Services } from "./services.ts";

/** Work that runs on a schedule, on one node only. It reads from the database what is due. */
export type Job<Context = Services> = {
  name: string;
  /** The schedule, in cron syntax. */
  cron: string;
  /** The job queue stores what it returns for a week. */
  run(services: Context): Promise<unknown>;
  /** A run that takes longer counts as failed and is started again. The default is 15 minutes. */
  timeoutMinutes?: number;
};
