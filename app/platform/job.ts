import type { Services } from "./services.ts";

/**
 * Work that runs on a schedule, once in all however many nodes there are. Tables are the record; a
 * job only does what is due.
 */
export type Job<Context = Services> = {
  name: string;
  cron: string;
  /** The queue stores the result of a run for a week. */
  run(services: Context): Promise<unknown>;
  /** A run that takes longer is started again; 15 minutes unless it says otherwise. */
  timeoutMinutes?: number;
};
