import { openMailer } from "../app/features/mail/feature.server.ts";
import { findNewPath, isGone } from "../app/features/redirects/feature.server.ts";
import { followContent, type SearchIndex } from "../app/features/search/feature.server.ts";
import { createSitemaps } from "../app/features/sitemap/feature.server.ts";
import { type Coalesced, coalesce } from "../app/lib/coalesce.server.ts";
import type { SourceHealth } from "../app/lib/external/source-visits.server.ts";
import type { Limit } from "../app/lib/http/limits.server.ts";
import { errorFields, toLoggedPath } from "../app/lib/log.ts";
import { gauge, type MetricGroup } from "../app/lib/metrics.ts";
import { toSafeLine } from "../app/lib/text/plain-text.ts";
import type { Job } from "../app/platform/feature.ts";
import type { IssueItem } from "../app/platform/newsletter.ts";
import { noPage, type PageScope, type Services } from "../app/platform/services.ts";
import { type ShareCard, type ShareKind, shareKinds } from "../app/platform/share-card.ts";
import type { SiteSource } from "../app/site-files/site-file.server.ts";
import type { DatabaseOptions, OpenDatabase } from "../db/database.ts";
import { readShared } from "../db/shared-reads.ts";
import { features } from "./features.ts";
import { deskLimit, fileFormLimit, formLimit, pageLimit } from "./http/limits.ts";
import { type BackupSource, backupCommand } from "./newsroom/backup/backup-command.ts";
import { backupJob, backupMetrics, makeDailyBackup } from "./newsroom/backup/daily-backup.ts";
import { restoreCommand } from "./newsroom/backup/restore-command.ts";
import { createCityCommand } from "./newsroom/city/city-command.ts";
import type { AnyCommand } from "./newsroom/commands.ts";
import type { CheckReferences } from "./newsroom/cross-checks.ts";
import { createDoctorCommand } from "./newsroom/doctor/doctor-command.ts";
import { linksCommand } from "./newsroom/links-command.ts";
import { problemsJob, reportProblems } from "./newsroom/problem-mail.ts";
import { purgeCommand } from "./newsroom/purge-command.ts";
import { createValidateCommand } from "./newsroom/validate.ts";
import type { RouteTable } from "./pages/route-table.ts";
import { jobMetrics } from "./process/jobs.ts";
import { toDatabaseError } from "./process/known-errors.ts";
import type { Activities } from "./process/watchdog.ts";
import { radioLimit } from "./radio/serve-radio.ts";
import { deleteExpired } from "./retention.ts";
import type { FileProblem } from "./site/check-file.ts";
import type { Config } from "./site/config.ts";

/**
 * Opens the database. The client is imported on demand, because loading it takes longer than most
 * commands run, and most commands do not need it.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<OpenDatabase> =>
  (await import("../db/client.ts")).openDatabase(options).catch((error: unknown) => {
    throw toDatabaseError(options, error) ?? error;
  });

export const siteFiles: SiteSource[] = features.flatMap(({ files = [] }) => files);

export const visitorLimits: Limit[] = [
  pageLimit,
  formLimit,
  fileFormLimit,
  deskLimit,
  radioLimit,
  ...features.flatMap(({ limits = [] }) => limits),
];

/** How long a server runs before it makes its first backup. */
const backupDelaySeconds = 600;

/** What some jobs need besides the services. */
type JobServices = Services & {
  backups: BackupSource;
  /** Finds what is wrong with the site files on this node. */
  findProblems(): Promise<FileProblem[]>;
};

export const jobs: Job<JobServices>[] = [
  ...features.flatMap((feature) => feature.jobs ?? []),
  { name: problemsJob, cron: "* * * * *", run: reportProblems },
  { name: "retention", cron: "17 * * * *", run: (services) => deleteExpired(features, services) },
  {
    name: backupJob,
    cron: "*/15 * * * *",
    timeoutMinutes: 180,
    // Right after a start the machine is busy with other work.
    run: async (services) =>
      process.uptime() < backupDelaySeconds ? undefined : makeDailyBackup(services),
  },
];

const sourceStates = ["good", "failing", "not-asked-yet"] as const;

/**
 * The metrics of external servers. Labels do not name single servers, because a city may have
 * hundreds of them.
 */
const sourceMetrics = (services: Pick<Services, "db" | "site" | "clock">): MetricGroup => ({
  name: "sources",
  async read() {
    const all = await Promise.all(
      features.map(async ({ name, sources }) => ({
        feature: name,
        health: (await sources?.health(services)) ?? [],
      })),
    );
    const kinds = all.filter(({ health }) => health.length > 0);
    return [
      gauge(
        "harborline_sources",
        "External sources by state.",
        kinds.flatMap(({ feature, health }) =>
          sourceStates.map((state) => ({
            labels: { feature, state },
            value: health.filter((source) => source.state === state).length,
          })),
        ),
      ),
      gauge(
        "harborline_sources_newest_success_age_seconds",
        "Time since any source was read successfully.",
        kinds.flatMap(({ feature, health }) => {
          const newest = Math.max(...health.map(({ lastSuccess }) => lastSuccess?.getTime() ?? 0));
          const value = (services.clock().getTime() - newest) / 1_000;
          return newest > 0 ? [{ labels: { feature }, value }] : [];
        }),
      ),
    ];
  },
});

/**
 * The metrics that need the database. Metrics of the process itself are declared where they are
 * counted.
 */
export const metricGroups = (
  services: Services,
  backups: Pick<BackupSource, "config" | "siteFolder">,
): MetricGroup[] => [
  ...features.flatMap(({ metrics }) => metrics?.(services) ?? []),
  sourceMetrics(services),
  jobMetrics(services.db, jobs),
  backupMetrics(services, backups),
];

/** Finds what the share image of a page shows. Null if readers cannot open the page. */
export async function findShareCard(
  services: Services & PageScope,
  kind: ShareKind,
  id: string,
): Promise<ShareCard | null> {
  const source = features.find(({ shareCards }) => shareCards?.kind === kind)?.shareCards;
  return source ? source.find(services, id) : null;
}

/**
 * Finds the title of the page at a path. Null if readers cannot open the page, if it cannot be
 * read, or if the path has another spelling.
 */
export async function findTitle(
  services: Services & PageScope,
  path: string,
): Promise<string | null> {
  const page = parseSharedPath(path);
  if (!page) return null;
  // While the database or a remote blog is unavailable, the page of the form still opens.
  const card = await findShareCard(services, page.kind, page.id).catch((error: unknown) => {
    services.log.warn("title.not_read", { path: toLoggedPath(path), ...errorFields(error) });
    return null;
  });
  return card && toCardTitle(card);
}

/** A page that cannot be read at the moment may exist. */
async function leadsToPage(services: Services, routes: RouteTable, path: string): Promise<boolean> {
  const route = routes.find(path);
  const page = route?.pattern.includes(":") ? parseSharedPath(route.canonicalPath) : null;
  const exists = page
    ? await findShareCard({ ...services, ...noPage }, page.kind, page.id).catch(() => true)
    : (route ?? /\.\w+$/.test(path));
  if (exists) return true;
  const newPath = await findNewPath(services, path);
  return newPath !== null && !isGone(newPath);
}

/** Finds an item of a newsletter issue as it is now. Null if readers cannot open its page. */
export async function findIssueItem(services: Services, path: string): Promise<IssueItem | null> {
  const page = parseSharedPath(path);
  if (!page) return null;
  const { kind, id } = page;
  const find = features.find(({ shareCards }) => shareCards?.kind === kind)?.newsletter?.find;
  if (find) return find(services, id);
  const card = await findShareCard({ ...services, ...noPage }, kind, id);
  return card && { title: toCardTitle(card), line: card.lines.join(" · "), link: path };
}

const toCardTitle = ({ mark, title }: ShareCard) =>
  toSafeLine(mark === "Canceled" ? `Canceled: ${title}` : title);

/**
 * Reads the kind and id of a page. Null if the path is spelled differently from links on the site.
 */
function parseSharedPath(path: string): { kind: ShareKind; id: string } | null {
  const kind = shareKinds.find((each) => path.startsWith(`/${each}/`));
  const id = kind && decodeSegment(path.slice(kind.length + 2));
  return id && path === `/${kind}/${encodeURIComponent(id)}` ? { kind, id } : null;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The paths that pages of other sites may call. */
export const crossOriginPaths = features.flatMap(({ crossOrigin }) => crossOrigin ?? []);

export async function openServices(
  config: Config,
  { db, kind }: Pick<OpenDatabase, "db" | "kind">,
  routes: RouteTable,
  others: Omit<Services, "db" | "mail" | "leadsToPage" | "blogBackend">,
) {
  const services = {
    ...others,
    db,
    blogBackend: config.blogBackend,
    leadsToPage: (path: string): Promise<boolean> => leadsToPage(opened, routes, path),
  };
  // Only one process can use the built-in database, so no other process sends its emails.
  const isOnlySender = kind === "pglite";
  const opened = { ...services, mail: openMailer(features, config, services, isOnlySender) };
  return opened;
}

export const sitemaps = createSitemaps(features);

export const readSourceHealth = async (services: Services): Promise<SourceHealth[]> =>
  (await Promise.all(features.map(({ sources }) => sources?.health(services) ?? []))).flat();

export const startSearchIndex = (services: Services, track: Activities["track"]): SearchIndex =>
  followContent(features, services, track);

/**
 * Reads what pages show into memory. What fails here is read again for the first page that needs
 * it.
 */
export async function loadSharedReads(services: Services, signal: AbortSignal): Promise<void> {
  const reads = features.flatMap(({ sharedReads }) => sharedReads?.(services) ?? []);
  let failed = 0;
  for (const read of reads) {
    if (signal.aborted) return;
    await readShared(services.db, read).catch(() => {
      failed++;
    });
  }
  services.log.info("data.loaded", { reads: reads.length, failed });
}

/** How long to wait for further changes of site files, which often come together. */
const siteChangeDelayMs = 100;

/**
 * Tells the features about changed site files, and finds references between the files that lead
 * nowhere.
 */
export function followSiteFiles(
  services: Services,
  findBrokenReferences: () => Promise<FileProblem[]>,
): Coalesced {
  return coalesce(siteChangeDelayMs, async (signal) => {
    const report = (feature: string) => (error: unknown) =>
      services.log.warn("site.change_not_handled", { feature, ...errorFields(error) });
    for (const { name, onSiteChanged } of features)
      if (!signal.aborted) await onSiteChanged?.(services).catch(report(name));
    if (!signal.aborted) await findBrokenReferences().catch(report("checks"));
  });
}

export function createCommands(checkReferences: CheckReferences): AnyCommand[] {
  return [
    createValidateCommand(checkReferences),
    createDoctorCommand(checkReferences, visitorLimits),
    ...features.flatMap((feature) => feature.commands ?? []),
    linksCommand,
    purgeCommand,
    createCityCommand(checkReferences),
    backupCommand,
    restoreCommand,
  ];
}
