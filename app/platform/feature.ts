import type { SourceHealth } from "../lib/external/source-visits.server.ts";
import type { MetricGroup } from "../lib/metrics.ts";
import type { SiteReader, SiteSource } from "../lib/site/site-file.server.ts";
import type { Check, LinkCheck } from "./city.ts";
import type { Command } from "./command.ts";
import type { Job } from "./job.ts";
import type { MailTemplate } from "./mail.ts";
import type { IssueContent } from "./newsletter.ts";
import type { RestoreHook } from "./restore.ts";
import type { DocumentSource, PageText } from "./search-document.ts";
import type { Services } from "./services.ts";

/**
 * Everything that a feature declares to the server, in its `feature.server.ts`.
 * `server/features.ts` lists all features.
 */
export type Feature = {
  name: string;
  /** The files and folders of the city that it reads. */
  files?: SiteSource[];
  jobs?: Job[];
  /**
   * What the privacy page promises to delete, by name. The result is the number of deleted records.
   */
  retention?: Record<string, (services: Services) => Promise<number>>;
  /** Its records that readers can search for. */
  documents?: DocumentSource;
  /** Its pages that are not records, by path, with the text that search finds them by. */
  pages?(site: SiteReader): Record<string, PageText>;
  /** Links to pages under names that readers know and may search for. */
  linkLabels?(site: SiteReader): { to: string; label: string }[];
  /** Mistakes that one file alone cannot show. */
  checks?: Check[];
  /** Whether a link to one of its pages leads somewhere. */
  checkLink?: LinkCheck;
  mails?: MailTemplate[];
  /** Commands of the newsroom. */
  commands?: Command[];
  metrics?(services: Services): MetricGroup;
  /** Its part of each newsletter issue. */
  newsletter?: IssueContent;
  /** Servers of others that it reads from: `doctor` reports those that fail. */
  sources?: {
    about: string;
    health(services: Pick<Services, "db" | "site">): Promise<SourceHealth[]>;
    fix: string;
  };
  /** What to do when a backup replaces the database, so that nothing is sent twice. */
  restore?: RestoreHook;
  /**
   * Tables that the site fills again by itself: a restore may replace their rows without asking.
   */
  derivedTables?: string[];
};
