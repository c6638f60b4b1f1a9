import type { Database } from "../../db/database.ts";
import type { Clock } from "../lib/dates.ts";
import type { SafeFetch } from "../lib/external/safe-fetch.server.ts";
import type { Log } from "../lib/log.ts";
import type { SiteReader } from "../lib/site/site-file.server.ts";
import type { RunInWorker } from "./worker-task.ts";

/**
 * What every piece of work may use: the city's files, the database, the time, the log, the network.
 * A function takes the part it needs, as `Pick<Services, "db" | "clock">`.
 */
export type Services = {
  site: SiteReader;
  db: Database;
  clock: Clock;
  log: Log;
  fetch: SafeFetch;
  /** Reads what others wrote in a worker thread. */
  runInWorker: RunInWorker;
  mail: OutgoingMail;
  /** The remote backend of the blog, if it does not use our own database. */
  blogBackend?: { url: string; key: string } | undefined;
};

/** Delivers the mails of the mail table: see features/mail. */
export type OutgoingMail = {
  /** Mails are files in the data folder if no mail server is configured. */
  kind: "smtp" | "files";
  /** Sends soon what is due; nobody waits for it. Call it after the mail's transaction. */
  wake(): void;
  /** Sends everything that is due. */
  sendDue(): Promise<void>;
  /** Deletes old mails and returns their number. */
  deleteOld(): Promise<number>;
  /** Deletes the files of these mails, where mails are files. */
  deleteFiles(ids: string[]): Promise<void>;
};
