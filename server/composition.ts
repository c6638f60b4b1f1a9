import { openMailFor } from "../app/features/mail/feature.server.ts";
import { followContent, type SearchIndex } from "../app/features/search/feature.server.ts";
import type { MetricGroup } from "../app/lib/metrics.ts";
import type { SiteSource } from "../app/lib/site/site-file.server.ts";
import type { Job } from "../app/platform/job.ts";
import type { Services } from "../app/platform/services.ts";
import type { DatabaseOptions, OpenDatabase } from "../db/database.ts";
import { features } from "./features.ts";
import { type BackupSource, backupCommand } from "./newsroom/backup/backup-command.ts";
import { backupJob, backupMetrics, makeDailyBackup } from "./newsroom/backup/daily-backup.ts";
import { restoreCommand } from "./newsroom/backup/restore-command.ts";
import type { AnyCommand } from "./newsroom/commands.ts";
import { createChecks } from "./newsroom/cross-checks.ts";
import { doctor } from "./newsroom/doctor/doctor-command.ts";
import { linksCommand } from "./newsroom/links-command.ts";
import { purgeCommand } from "./newsroom/purge-command.ts";
import { validate } from "./newsroom/validate.ts";
import type { RouteTable } from "./pages/route-table.ts";
import type { Activities } from "./process/activities.ts";
import { jobMetrics } from "./process/jobs.ts";
import { toDatabaseError } from "./process/known-errors.ts";
import { deleteExpired } from "./retention.ts";

/** Loading a whole database takes longer than most commands, which do not need it. */
export const openDatabase = async (options: DatabaseOptions): Promise<OpenDatabase> =>
  (await import("../db/client.ts")).openDatabase(options).catch((error: unknown) => {
    throw toDatabaseError(options, error) ?? error;
  });

/** Every file of the city's folder that the software reads. */
export const siteFiles: SiteSource[] = features.flatMap(({ files = [] }) => files);

/** How long a server has to run before it makes backups. */
const backupDelaySeconds = 600;

/** The backup job also needs what a backup is made of. */
export type JobServices = Services & { backups: BackupSource };

/** Everything that runs on a schedule. */
export const jobs: Job<JobServices>[] = [
  ...features.flatMap((feature) => feature.jobs ?? []),
  { name: "retention", cron: "17 * * * *", run: (services) => deleteExpired(features, services) },
  {
    name: backupJob,
    cron: "*/15 * * * *",
    timeoutMinutes: 180,
    // Right after a start the machine has enough to do.
    run: async (services) =>
      process.uptime() < backupDelaySeconds ? undefined : makeDailyBackup(services),
  },
];

/**
 * Figures that need the database. Those of the process itself are declared where they are counted.
 */
export const metricGroups = (services: Services): MetricGroup[] => [
  ...features.flatMap(({ metrics }) => metrics?.(services) ?? []),
  jobMetrics(services.db, jobs),
  backupMetrics(services),
];

export const openMail = openMailFor(features);

/** Keeps search up to date with everything else. */
export const startSearchIndex = (services: Services, during: Activities["during"]): SearchIndex =>
  followContent(features, services, during);

/**
 * All commands of the newsroom. `routes` are those of the build: links in files are checked against
 * them.
 */
export function createCommands(routes: () => RouteTable): AnyCommand[] {
  const checks = createChecks(features, routes);
  return [
    validate(checks),
    doctor(checks),
    ...features.flatMap((feature) => feature.commands ?? []),
    linksCommand,
    purgeCommand,
    backupCommand,
    restoreCommand,
  ];
}
