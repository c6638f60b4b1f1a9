import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { brandFile } from "../../../app/features/brand/feature.server.ts";
import { mailFindings } from "../../../app/features/mail/feature.server.ts";
import { bad, errorMessage, type Finding } from "../../../app/lib/newsroom/finding.ts";
import { formatCount } from "../../../app/lib/newsroom/printing.ts";
import { type Command, noVerb, verb } from "../../../app/platform/command.ts";
import type { Database } from "../../../db/database.ts";
import { findDiskFull } from "../../../db/pglite/disk-space.ts";
import { features } from "../../features.ts";
import { isSetupError } from "../../process/setup-error.ts";
import type { ServerCommandContext } from "../context.ts";
import type { Checks } from "../cross-checks.ts";
import { address, files, radio, sources } from "./city.ts";
import { database, jobs, tables } from "./database.ts";
import { backups, dataFolder, delays, disk, program, server } from "./machine.ts";

const marks = { good: "✓", warning: "!", bad: "✗" };

export const doctor = (checks: Checks): Command<ServerCommandContext> => ({
  name: "doctor",
  group: "Operations",
  summary:
    "Looks over the whole set-up and says in plain words what is wrong and what to do about it.",
  examples: ["doctor", "doctor --json"],
  verbs: { [noVerb]: verb({ run: (_args, _options, context) => examine(context, checks) }) },
});

async function examine(context: ServerCommandContext, checks: Checks): Promise<number> {
  const findings: Finding[] = [];
  for (const [about, look] of Object.entries(listChecks(context, checks))) {
    // Whatever surprises one look is itself a finding, and the others go on.
    const found = await look().catch((error: unknown) => [bad(about, errorMessage(error))]);
    for (const finding of found) printFinding(context, finding);
    findings.push(...found);
  }
  const count = (state: Finding["state"]) =>
    findings.filter((finding) => finding.state === state).length;
  const [broken, warnings] = [count("bad"), count("warning")];
  // `says` and `mend` are the former names of `message` and `fix`, for scripts that read them.
  const withFormerNames = findings.map((finding) => ({
    ...finding,
    says: finding.message,
    mend: finding.fix,
  }));
  context.result({ ok: broken === 0, findings: withFormerNames });
  context.print("");
  context.print(
    broken > 0
      ? `${formatCount(broken, "thing does", "things do")} not work, ${warnings} more to look at.`
      : warnings > 0
        ? `Everything works. ${formatCount(warnings, "thing")} to look at when there is time.`
        : "Everything works.",
  );
  return broken === 0 ? 0 : 1;
}

/**
 * What is looked at, in this order. A database that does not answer, or files that cannot be read,
 * are said once each.
 */
function listChecks(
  context: ServerCommandContext,
  checks: Checks,
): Record<string, () => Promise<Finding[]>> {
  // Files that cannot be read have been told of by the look at the files.
  const site = () => context.readSite(context.siteFiles).catch(() => null);
  // Asked once: a database that does not answer takes seconds, and says so only once.
  let asked: Promise<ReachResult> | undefined;
  const reached = () => {
    asked ??= reach(context);
    return asked;
  };
  const whenReached = async (look: (db: Database) => Promise<Finding[]>) => {
    const found = await reached();
    return "finding" in found ? [] : look(found.db);
  };
  return {
    program: async () => program(),
    server: () => server(context),
    delays: async () => delays(context),
    "data folder": () => dataFolder(context),
    disk: () => disk(context),
    "city's files": () => files(context, checks),
    address: async () => {
      const city = await site();
      return city ? address(context, city) : [];
    },
    database: async () => {
      const found = await reached();
      return "finding" in found ? [found.finding] : database(context, found.db);
    },
    tables: () => whenReached((db) => tables(context, db)),
    jobs: () => whenReached((db) => jobs(context, db)),
    mail: () => whenReached((db) => mailFindings(db, context.config.smtpUrl)),
    sources: () =>
      whenReached(async (db) => {
        const city = await site();
        return city ? sources(features, context, city, db) : [];
      }),
    radio: () => radio(context),
    backup: async () => {
      const found = await reached();
      const db = "finding" in found ? null : found.db;
      return backups(context, db, (await site())?.read(brandFile).backups.daily ?? true);
    },
  };
}

type ReachResult = { db: Database } | { finding: Finding };

/** A database on a full disk may never be open, and whoever asks wants to know that too. */
const openTimeoutMs = 30_000;
const responseTimeoutMs = 3_000;

/** The database, or why it cannot be asked. */
async function reach(context: ServerCommandContext): Promise<ReachResult> {
  const within = <T>(ms: number, work: Promise<T>): Promise<T | "late"> =>
    Promise.race([work, pause(ms, "late" as const, { ref: false })]);
  try {
    const db = await within(openTimeoutMs, context.database());
    if (db === "late") {
      const says = `It is not open after ${Math.round(openTimeoutMs / 1_000)} seconds.`;
      return { finding: bad("database", says, notOpenAdvice(context)) };
    }
    const silent = await within(responseTimeoutMs, ping(db, context));
    if (silent === "late")
      return { finding: bad("database", "It does not answer.", noResponseAdvice(context)) };
    return silent ? { finding: silent } : { db };
  } catch (error) {
    // A mistake of set-up says itself what to do.
    const fix = isSetupError(error) ? undefined : notOpenAdvice(context);
    return { finding: bad("database", `It does not open: ${errorMessage(error)}`, fix) };
  }
}

/** Null if it answers. */
const ping = (db: Database, context: ServerCommandContext): Promise<Finding | null> =>
  db.execute(sql`select 1`).then(
    () => null,
    (error: unknown) => {
      const full = findDiskFull(error);
      return full
        ? bad("database", full.message, "Make room on the disk. The server needs no restart.")
        : bad("database", "It does not answer.", noResponseAdvice(context));
    },
  );

const noResponseAdvice = ({ config: { databaseUrl } }: ServerCommandContext) =>
  databaseUrl === undefined
    ? "Look for database.connection_lost in the log, then restart the server."
    : "Check whether Postgres is running and not overloaded. The server needs no restart: it serves what is in memory until then.";

const notOpenAdvice = ({ config: { databaseUrl, dataDir } }: ServerCommandContext) =>
  databaseUrl === undefined
    ? `If its files are damaged: move ${dataDir}/database away, then "./newsroom restore" your last backup.`
    : "Check DATABASE_URL, and whether Postgres is running.";

function printFinding(
  context: ServerCommandContext,
  { about, state, message, fix }: Finding,
): void {
  context.print(`${marks[state]} ${about.padEnd(12)}  ${message}`);
  if (fix !== undefined) context.print(`${" ".repeat(16)}→ ${fix}`);
}
