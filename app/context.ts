import { createContext } from "react-router";
import type { Database } from "../db/client.ts";
import type { Clock } from "./lib/dates.ts";
import type { Log } from "./lib/log.ts";
import type { SafeFetch } from "./lib/safe-fetch.server.ts";
import type { SiteReader } from "./lib/site-file.server.ts";
import type { RenderPost } from "./lib/untrusted-markdown.server.ts";

/** What every piece of work may reach: the city's files, the database, the time, the log, the world outside. */
export type Services = {
  site: SiteReader;
  db: Database;
  clock: Clock;
  log: Log;
  fetch: SafeFetch;
  /** The way out for mails, which stand in the table: see features/mail. */
  mail: {
    /** Whether they are sent, or laid down as files because no mail server is named. */
    kind: "smtp" | "files";
    /** Something is due: it is sent soon, and nobody waits for it. Call it when the mail is stored for good. */
    wake(): void;
    /** Sends all that is due. */
    sweep(): Promise<void>;
    /** Forgets those that are done with; says how many. */
    forgetOld(): Promise<number>;
    /** Deletes the files of mails by their ids, where mails are files. */
    discard(ids: string[]): Promise<void>;
  };
  /** A backend elsewhere that the blog is read from, instead of our own database. */
  blogBackend?: { url: string; key: string } | undefined;
};

/** What a route may reach. */
export type AppContext = Services & {
  renderPost: RenderPost;
  /** What the page is made of, such as "section:local": when it changes, the page is made anew. */
  tags: { add(tag: string): void };
  /** Adds one to a day's count, such as that of a missing page. Costs the reader no time: it is stored a few seconds later. */
  tally: { count(kind: "search" | "unanswered" | "missing", words: string): void };
  /** Whom the request comes from; empty for a page that is made for everybody. Never stored, never logged. */
  address: string;
  /** The page is true until then, such as one that says "today"; from then on it is made anew before it is shown. */
  expireAt(instant: Date): void;
  /** Whose frames the city's pages may hold, beside our own. */
  frames: string[];
};

export const appContext = createContext<AppContext>();
