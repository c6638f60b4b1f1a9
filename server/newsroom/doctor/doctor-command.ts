import { sql } from "drizzle-orm";
import { siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { deskFindings } from "../../../app/features/desk/feature.server.ts";
import { mailFindings } from "../../../app/features/mail/feature.server.ts";
import { describeLimit, type Limit } from "../../../app/lib/http/limits.server.ts";
import { errorMessage } from "../../../app/lib/log.ts";
import { bad, type Finding } from "../../../app/lib/newsroom/finding.ts";
import { formatCount } from "../../../app/lib/newsroom/printing.ts";
import { withTimeout } from "../../../app/lib/with-timeout.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { Database } from "../../../db/database.ts";
import { findDiskFull } from "../../../db/pglite/disk-space.ts";
import { features } from "../../features.ts";
import { isSetupError } from "../../process/setup-error.ts";
import type { ServerCommandContext } from "../commands.ts";
import type { CheckReferences } from "../cross-checks.ts";
import { checkAddress, checkFiles, checkRadio, checkSources } from "./city.ts";
import { checkDatabase, checkJobs, checkTables } from "./database.ts";
import { listLaunchItems, printLaunchItems } from "./launch.ts";
import {
  checkBackups,
  checkDataFolder,
  checkDelays,
  checkDisk,
  checkOfflineCopies,
  checkProgram,
  describeServer,
} from "./machine.ts";

/** The longest label is "offline copies". */
const labelWidth = 14;
const marks = { good: "✓", warning: "!", bad: "✗" };

export const createDoctorCommand = (
  checkReferences: CheckReferences,
  limits: Limit[],
): Command<ServerCommandContext> => ({
  name: "doctor",
  group: "Operations",
  summary: "Check the whole installation, and show what is wrong and how to fix it.",
  examples: ["doctor", "doctor --json", "doctor --launch", "doctor --limits"],
  verbs: {
    [noVerb]: verb({
      options: {
        launch: { type: "flag", description: "list what to replace or decide before launch" },
        limits: { type: "flag", description: "print what visitors may send, and how often" },
      },
      async run(context, options) {
        if (options.limits) return printLimits(context, limits);
        if (options.launch)
          return printLaunchItems(context, await listLaunchItems(features, context));
        return examine(context, checkReferences);
      },
    }),
  },
});

function printLimits(context: ServerCommandContext, limits: Limit[]): number {
  const maxListeners = context.config.radio.maxListeners.toLocaleString("en-US");
  const rows = limits.map(describeLimit).map((row) => ({
    ...row,
    all: row.all.replace("`RADIO_MAX_LISTENERS`", maxListeners),
  }));
  context.result(rows);
  for (const { what, visitor, all, message } of rows) {
    context.print(what);
    context.print(`  one visitor   ${visitor}`);
    context.print(`  all visitors  ${all || "no limit"}`);
    context.print(`  message       ${message}`);
  }
  return 0;
}

async function examine(
  context: ServerCommandContext,
  checkReferences: CheckReferences,
): Promise<number> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(listChecks(context, checkReferences))) {
    // An unexpected error in one check becomes a finding, and the other checks still run.
    const found = await check().catch((error: unknown) => bad(errorMessage(error)));
    for (const finding of [found ?? []].flat()) {
      const { about = name, state, message, fix } = finding;
      context.print(`${marks[state]} ${about.padEnd(labelWidth)}  ${message}`);
      if (fix !== undefined) context.print(`${" ".repeat(labelWidth + 4)}→ ${fix}`);
      findings.push({ about, ...finding });
    }
  }
  const count = (state: Finding["state"]) =>
    findings.filter((finding) => finding.state === state).length;
  const [broken, warnings] = [count("bad"), count("warning")];
  context.result({ ok: broken === 0, findings });
  context.print("");
  context.print(
    broken > 0
      ? `Found ${formatCount(broken, "error")} and ${formatCount(warnings, "warning")}.`
      : warnings > 0
        ? `No errors. Found ${formatCount(warnings, "warning")}.`
        : "Everything works.",
  );
  return broken === 0 ? 0 : 1;
}

type CheckResult = Finding | Finding[] | null;

/**
 * Lists all checks in the order in which they run. A database that does not respond is reported
 * only once, and so are site files that cannot be read.
 */
function listChecks(
  context: ServerCommandContext,
  checkReferences: CheckReferences,
): Record<string, () => Promise<CheckResult>> {
  // If the site files cannot be read, only the check "city's files" reports it.
  const readSite = () => context.readSite(context.siteFiles).catch(() => null);
  const readTimeZone = async () => (await readSite())?.read(siteSettingsFile).timeZone ?? "UTC";
  // The database is opened only once for all checks, because waiting for one that does not respond
  // takes seconds.
  let opening: Promise<OpenResult> | undefined;
  const openOnce = () => {
    opening ??= openAndPing(context);
    return opening;
  };
  const ifOpen = async (check: (db: Database) => Promise<CheckResult>) => {
    const result = await openOnce();
    return "finding" in result ? null : check(result.db);
  };
  return {
    program: async () => checkProgram(),
    server: async () => describeServer(context),
    delays: async () => checkDelays(context, await readTimeZone()),
    "data folder": () => checkDataFolder(context),
    disk: () => checkDisk(context),
    "city's files": () => checkFiles(context, checkReferences),
    address: async () => {
      const city = await readSite();
      return city ? checkAddress(context, city) : null;
    },
    database: async () => {
      const result = await openOnce();
      return "finding" in result
        ? result.finding
        : checkDatabase(context, result.db, await readTimeZone());
    },
    tables: () => ifOpen((db) => checkTables(context.config, db)),
    jobs: () => ifOpen((db) => checkJobs(context, db)),
    mail: () => ifOpen((db) => mailFindings(db, context.config.smtpUrl)),
    desk: async () => {
      const city = await readSite();
      return city && deskFindings(city, context.config.smtpUrl);
    },
    sources: () =>
      ifOpen(async (db) => {
        const city = await readSite();
        return city ? checkSources(features, context, city, db) : null;
      }),
    radio: async () =>
      (await readSite())?.hasPage("/radio") === false ? null : checkRadio(context),
    "offline copies": async () => checkOfflineCopies(context),
    backup: async () => {
      const { backups } = (await readSite())?.read(siteSettingsFile) ?? {};
      return checkBackups(context, backups ?? { daily: true });
    },
  };
}

type OpenResult = { db: Database } | { finding: Finding };

/** How long to wait for the database. On a full disk it may never open, which is a finding too. */
const openTimeoutMs = 30_000;
const responseTimeoutMs = 3_000;

/** Opens the database. If it cannot be used, returns a finding that says why. */
async function openAndPing(context: ServerCommandContext): Promise<OpenResult> {
  const report = (message: string, fix?: string) => ({ finding: bad(message, fix) });
  let db: Database;
  try {
    const tooLate = `it did not open within ${openTimeoutMs / 1_000} seconds.`;
    db = await withTimeout(context.database(), openTimeoutMs, tooLate);
  } catch (error) {
    // The message of a SetupError already says what to do.
    const fix = isSetupError(error) ? undefined : notOpenAdvice(context);
    return report(`Could not open the database: ${errorMessage(error)}`, fix);
  }
  try {
    await withTimeout(db.execute(sql`select 1`), responseTimeoutMs, "too late");
    return { db };
  } catch (error) {
    const diskFull = findDiskFull(error);
    return diskFull
      ? report(diskFull.message, "Free some disk space. You need not restart the server.")
      : report("The database does not respond.", noResponseAdvice(context));
  }
}

const noResponseAdvice = ({ config: { databaseUrl } }: ServerCommandContext) =>
  databaseUrl === undefined
    ? "Search the server's log for database.connection_lost, then restart the server."
    : "Check that Postgres is running and not overloaded. You need not restart the server; it serves cached pages until Postgres responds again.";

const notOpenAdvice = ({ config: { databaseUrl, dataDir } }: ServerCommandContext) =>
  databaseUrl === undefined
    ? `If its files are damaged, move ${dataDir}/database away and restore your last backup with "./newsroom restore".`
    : "Check DATABASE_URL, and check that Postgres is running.";
