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

/** What a feature declares in its `feature.server.ts`. `server/features.ts` lists all features. */
export type Feature = {
  name: string;
  /** The part of the site that the feature is, if a city can do without it: see `follow-part.ts`. */
  part?: Part;
  files?: SiteSource[];
  jobs?: Job[];
  /** What visitors may send to the feature, and how often. */
  limits?: Limit[];
  /**
   * Functions that delete data when its retention, as the privacy page states it, is over, by their
   * names in the log. Each returns the number of deleted records.
   */
  retention?: Record<string, (services: Services) => Promise<number>>;
  /** The records that readers can search for. */
  documents?: DocumentSource;
  /** The records that search engines should know. */
  sitemap?: SitemapSource;
  /** The pages that have a share image. */
  shareCards?: ShareCardSource;
  /** Pages that are not records, by path, for search and the sitemap. */
  pages?(site: SiteContent): Record<string, PageText>;
  /** The labels of links in menus, by which search finds the pages. */
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
  /** What pages read from memory. The server reads it at its start, so that they need no database. */
  sharedReads?(services: Pick<Services, "site" | "clock">): SharedRead<unknown>[];
  /** Runs when the server starts, and after site files have changed. */
  onSiteChanged?(services: Services): Promise<unknown>;
  /** The paths that pages of other sites may call, and the CORS headers that allow it. */
  crossOrigin?: {
    path: string;
    headers(origin: string | undefined, services: Pick<Services, "site">): Headers;
  };
  /** Suggests a page that readers probably looked for at a path of this feature without a page. */
  suggestPath?(path: string, services: Services): Promise<string | null>;
  /** Runs when a backup replaces the database, for example so that no email is sent twice. */
  restore?: RestoreHook;
  /** Tables that the site fills again by itself, so that a restore may replace their rows. */
  derivedTables?: string[];
};

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

/**
 * A feature's part in a restore. It reads what it needs from the database that will be replaced, and
 * returns a function that adjusts the restored rows, in the transaction that writes them.
 */
export type RestoreHook = (
  context: Pick<CommandContext, "readSite"> & { db: Database; now: Date; backupCreatedAt: Date },
) => Promise<(tx: Pick<Database, "insert" | "update">) => Promise<RestoreNotes>>;

export type RestoreNotes = {
  /** Sentences for people to read. */
  notes: string[];
  /** What is added to the JSON result, for programs. */
  result?: Record<string, unknown>;
};
