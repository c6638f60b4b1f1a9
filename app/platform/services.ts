import type { Database } from "../../db/database.ts";
import type { Clock } from "../lib/dates.ts";
import type { SafeFetch } from "../lib/external/safe-fetch.server.ts";
import type { Log } from "../lib/log.ts";
import type { SiteContent } from "../site-files/site-file.server.ts";
import type { PageTags } from "./tags.ts";
import type { RunInWorker } from "./worker-task.ts";

/**
 * What requests, jobs and commands may use. A function takes only the part that it needs, such as
 * `Pick<Services, "db" | "clock">`.
 */
export type Services = {
  site: SiteContent;
  db: Database;
  clock: Clock;
  log: Log;
  fetch: SafeFetch;
  runInWorker: RunInWorker;
  mail: OutgoingMail;
  tally: Tally;
  /** Whether a path of this site leads readers to a page or file, also by a redirect. */
  leadsToPage(path: string): Promise<boolean>;
  /** The remote backend of the blog, if the blog does not use our own database. */
  blogBackend?: { url: string; key: string } | undefined;
};

/**
 * What features can tell the server about the page that is being rendered. A function that takes it
 * adds the tags and the expiry of what it reads. One that reads without it leaves both to its caller.
 */
export type PageScope = {
  /**
   * The tags of the data that the page shows. When the data changes, the page is rendered again.
   */
  tags: PageTags;
  /** Sets the time until which the page is valid, such as midnight for a page that says "today". */
  expireAt(instant: Date): void;
};

/** For content that is read for an email or a command, which have no tags and do not expire. */
export const noPage: PageScope = { tags: { add() {} }, expireAt() {} };

export type PageServices = Pick<Services, "site" | "db" | "clock" | "log" | "blogBackend"> &
  PageScope;

/** Counts what readers search for and what they do not find: see features/tally. */
export type Tally = {
  /**
   * Adds one to today's count of a text, such as the path of a missing page. The count is written
   * to the database a few seconds later, so the reader does not wait for that.
   */
  count(kind: "search" | "unanswered" | "missing", text: string): void;
  flush(): Promise<void>;
};

/** Sends the emails of the table `mails`: see features/mail. */
export type OutgoingMail = {
  /** "files": no mail server is configured, so emails are written to files in the data folder. */
  kind: "smtp" | "files";
  /**
   * Starts to send the emails that are due, in the background. Call it after the transaction that
   * queues an email.
   */
  wake(): void;
  /** Sends all emails that are due, and waits until that is done. */
  sendDue(): Promise<void>;
  /** Deletes old emails and returns their number. */
  deleteOld(): Promise<number>;
  /** Deletes the files of these emails, if emails are written to files. */
  deleteFiles(ids: string[]): Promise<void>;
};

export type PlayedTitle = { title: string; startedAt: Date };

/** What pages may know about the radio. */
export type RadioHistory = {
  /** Returns what was on this node's radio in the last hour, the latest first. */
  readPlayed(): Promise<PlayedTitle[]>;
};
