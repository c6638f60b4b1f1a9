import type { Database } from "../../db/database.ts";
import type { SharedRead } from "../../db/shared-reads.ts";
import type { SourceHealth } from "../lib/external/source-visits.server.ts";
import type { Limit } from "../lib/http/limits.server.ts";
import type { Part } from "../lib/links/parts.ts";
import type { MetricGroup } from "../lib/metrics.ts";
import type { SiteContent, SiteSource } from "../site-files/site-file.server.ts";
import type { Check, LaunchItem, LinkCheck } from "./city.ts";
import type { Command, CommandContext } from "./command.ts";
import type { MailTemplate } from "./mail.ts";
import type { IssueContent } from "./newsletter.ts";
import type { DocumentSource, PageText } from "./search-document.ts";
import type { Services } from "./services.ts";
import type { ShareCardSource } from "./share-card.ts";
import type { SitemapSource } from "./sitemap.ts";

/**
 * Everything that a feature declares to the server, in its `feature.server.ts`.
 * `server/features.ts` lists all features.
 */
export type Feature = {
  name: string;
  /**
   * The part of the site that the feature is, if a city can do without it. In a city without the
   * part, nothing that the feature declares applies, except for retention and restore: see
   * `follow-part.ts`.
   */
  part?: Part;
  files?: SiteSource[];
  jobs?: Job[];
  limits?: Limit[];
  /**
   * Functions that delete data when its retention, as the privacy page states it, is over. Each
   * returns the number of deleted records. The keys name these rules in the log.
   */
  retention?: Record<string, (services: Services) => Promise<number>>;
  documents?: DocumentSource;
  sitemap?: SitemapSource;
  shareCards?: ShareCardSource;
  /**
   * Pages that are not records, by path, with the text by which search finds them. They are also in
   * the sitemap.
   */
  pages?(site: SiteContent): Record<string, PageText>;
  /**
   * The labels of links in menus. Readers know these labels, so search finds the page `to` by them.
   */
  linkLabels?(site: SiteContent): { to: string; label: string }[];
  /** Finds mistakes that are visible only when several files are compared. */
  checks?: Check[];
  checkLink?: LinkCheck;
  /** Finds what is still a sample, a default or missing before a public launch. */
  launch?(site: SiteContent): LaunchItem[];
  /** Renderers of emails whose text is not stored. */
  mails?: MailTemplate[];
  commands?: Command[];
  metrics?(services: Services): MetricGroup;
  newsletter?: IssueContent;
  /** External servers that the feature reads from. `doctor` reports those that fail. */
  sources?: {
    /** What the servers provide, such as "calendars": the subject of the finding. */
    about: string;
    health(services: Pick<Services, "db" | "site" | "clock">): Promise<SourceHealth[]>;
    /** What the finding tells the operator to do. */
    fix: string;
  };
  /**
   * What pages read from memory. The server loads it when it starts, so that pages that nobody has
   * opened yet work while the database is unavailable.
   */
  sharedReads?(services: Pick<Services, "site" | "clock">): SharedRead<unknown>[];
  /** Runs when the server starts, and after site files have changed. */
  onSiteChanged?(services: Services): Promise<unknown>;
  /** The paths that pages of other sites may call, and the CORS headers that allow it. */
  crossOrigin?: {
    path: string;
    headers(origin: string | undefined, services: Pick<Services, "site">): Headers;
  };
  /**
   * Suggests the path of a page that readers probably looked for, if they opened a missing path of
   * this feature.
   */
  suggestPath?(path: string, services: Services): Promise<string | null>;
  /** Runs when a backup replaces the database, for example so that no email is sent twice. */
  restore?: RestoreHook;
  /**
   * Tables that the site can fill again from other data, so a restore may replace their rows
   * without asking.
   */
  derivedTables?: string[];
};

/**
 * Work that runs on a schedule, each time on only one node. A job reads from the database what is
 * due, because it may run late or again.
 */
export type Job<Context = Services> = {
  name: string;
  cron: string;
  /** The job queue stores the returned value for a week. */
  run(services: Context): Promise<unknown>;
  /** A run that takes longer counts as failed and is started again. The default is 15 minutes. */
  timeoutMinutes?: number;
};

/**
 * A feature's part in a restore. The hook reads what it needs from the database that will be
 * replaced. It returns a function that adjusts the restored rows, in the transaction that writes
 * them.
 */
type RestoreHook = (
  context: Pick<CommandContext, "readSite"> & { db: Database; now: Date; backupCreatedAt: Date },
) => Promise<(tx: Pick<Database, "insert" | "update">) => Promise<RestoreNotes>>;

export type RestoreNotes = {
  /** Sentences for people to read. */
  notes: string[];
  /** What is added to the JSON result, for programs. */
  result?: Record<string, unknown>;
};
