import { access, constants, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { clockTime } from "../../../app/lib/dates.ts";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import type { Database } from "../../../db/database.ts";
import { freeBytes } from "../../../db/pglite/disk-space.ts";
import {
  chooseStartSettings,
  findStartSettings,
  readMemoryBytes,
  smallBelowBytes,
} from "../../process/start-settings.ts";
import { minNodeVersion, version } from "../../process/version.ts";
import { minDelayMs } from "../../process/watchdog.ts";
import { findDailyBackups, findLastBackup, lateAfterMs } from "../backup/daily-backup.ts";
import type { ServerCommandContext } from "../commands.ts";

const lowSpaceBytes = 2_000_000_000;
const criticalSpaceBytes = 200_000_000;
const highMemoryShare = 0.7;
const dayMs = 86_400_000;
/** Readers notice a delay of a second. A shorter delay is mentioned, but is not a warning. */
const longDelayMs = 1_000;

export function checkProgram(): Finding {
  const nodeVersion = process.versions.node;
  const isSupported = nodeVersion.localeCompare(minNodeVersion, "en", { numeric: true }) >= 0;
  const message = `Harborline ${version} on Node ${nodeVersion}`;
  return isSupported
    ? good(message)
    : bad(message, `Harborline needs Node ${minNodeVersion} or newer. Run "npm ci" to install it.`);
}

export async function checkDataFolder({
  config: { dataDir },
}: ServerCommandContext): Promise<Finding> {
  const folder = await stat(dataDir).catch(() => null);
  if (!folder)
    return bad(
      `The folder ${dataDir} does not exist.`,
      "Set DATA_DIR to the folder that the server uses. The server creates it when it first starts.",
    );
  if (!folder.isDirectory())
    return bad(`${dataDir} is not a folder.`, "Set DATA_DIR to another path.");
  const { mode, uid } = folder;
  const currentUid = process.getuid?.() ?? uid;
  if (uid !== currentUid && currentUid !== 0)
    return bad(
      `${dataDir} belongs to another user.`,
      `Give it to the server's user: chown -R <user> ${dataDir}`,
    );
  const accessError = await access(dataDir, constants.W_OK).catch((error: unknown) => error);
  if (hasErrorCode(accessError, "EROFS"))
    return bad(
      `The file system of ${dataDir} is read-only.`,
      "Remount it with write access. If a disk error caused this, check the disk first (dmesg) and copy the last backup to another machine.",
    );
  if (accessError) return bad(`${dataDir} is not writable.`, `Run: chmod 700 ${dataDir}`);
  return mode & 0o077
    ? warning(`Other users of this machine can read ${dataDir}.`, `Run: chmod 700 ${dataDir}`)
    : good(`only its owner can read ${dataDir}`);
}

export async function checkDisk({
  config: { dataDir },
}: ServerCommandContext): Promise<Finding | null> {
  const free = await freeBytes(dataDir).catch(() => null);
  // The check "data folder" reports that the folder is missing.
  if (free === null) return null;
  const message = `${formatSize(free)} free`;
  const fix = `Free some space on the disk that holds ${dataDir}. Start with old backups and logs.`;
  if (free < criticalSpaceBytes) return bad(`only ${message}`, fix);
  return free < lowSpaceBytes ? warning(`only ${message}`, fix) : good(message);
}

export const checkMemory = ({ isServing }: ServerCommandContext): Finding | null =>
  isServing && process.memoryUsage().rss > readMemoryBytes() * highMemoryShare
    ? warning(
        "The server uses most of the machine's memory.",
        "Restart it when few readers are on the site, and watch whether its memory grows again.",
      )
    : null;

/** Says how long the server has been running. This command runs inside it. */
export function describeServer({ isServing }: ServerCommandContext): Finding {
  if (!isServing)
    return warning("No server is running on this data folder.", 'Start one with "npm start".');
  const { rss } = process.memoryUsage();
  const hours = Math.floor(process.uptime() / 3600);
  return good(
    `running for ${hours < 1 ? "less than an hour" : formatCount(hours, "hour")}, ${formatSize(rss)} of memory`,
  );
}

/** Says with which settings for memory and speed the server runs, and why. */
export function describeStartSettings({
  isServing,
}: Pick<ServerCommandContext, "isServing">): Finding {
  const memoryBytes = readMemoryBytes();
  const chosen = chooseStartSettings(memoryBytes).name;
  const current = isServing ? findStartSettings(process.execArgv) : chosen;
  const reason = `${formatSize(memoryBytes)} of memory are available, and "npm start" chooses the ${chosen} settings`;
  return good(
    current === chosen
      ? `${current}: ${reason} ${chosen === "small" ? "below" : "from"} ${formatSize(smallBelowBytes)}`
      : `${current}, because the server was not started with "npm start": ${reason}`,
  );
}

/** Checks whether requests had to wait because something blocked the server. */
export function checkDelays(
  { isServing, worstDelay }: ServerCommandContext,
  timeZone: string,
): Finding {
  const worst = worstDelay?.() ?? null;
  if (!worst)
    return good(
      isServing
        ? `none of ${formatSeconds(minDelayMs)} or more within the last hour`
        : "not measured: no server is running",
    );
  const activity = worst.running.length > 0 ? `, during ${worst.running.join(", ")}` : "";
  const delay = `${formatSeconds(worst.ms)} at ${clockTime(worst.at, timeZone)}${activity}`;
  return worst.ms >= longDelayMs
    ? warning(
        `Within the last hour all requests had to wait for ${delay}.`,
        "Search the server's log for event_loop.blocked to see all such delays.",
      )
    : good(`the longest within the last hour was ${delay}`);
}

/** Checks whether the emergency brake for readers' devices is still on. */
export const checkOfflineCopies = ({ config }: ServerCommandContext): Finding =>
  config.offlineCopies
    ? good("readers can store pages on their devices")
    : warning(
        "Readers cannot read offline because OFFLINE_COPIES=off is set.",
        "Remove OFFLINE_COPIES from the settings a week or two after the mistake was corrected.",
      );

const formatSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} seconds`;

/**
 * Checks whether there is a backup from the last day, made manually or by the daily job, on this
 * node or another.
 */
export async function checkBackups(
  context: ServerCommandContext,
  db: Database | null,
  isDaily: boolean,
): Promise<Finding | null> {
  const now = context.clock().getTime();
  const { lastGood, lastError } = db
    ? await findDailyBackups(db, context.clock())
    : { lastGood: null, lastError: null };
  const last = await findLastBackup(lastGood, context);
  // Without the database we know nothing about the backups of other nodes. Another check reports
  // the database.
  if (!db && !last) return null;
  const reason = lastError === null ? "" : ` The last attempt failed: ${lastError}`;
  const createFinding = isDaily && (lastError !== null || last !== null) ? bad : warning;
  if (last === null)
    return createFinding(
      `There is no backup yet.${reason}`,
      isDaily && lastError === null
        ? "The server makes the first one within half an hour, and then one every day."
        : "Run: ./newsroom backup",
    );
  const days = Math.floor((now - last.at.getTime()) / dayMs);
  const location = last.node === hostname() ? last.file : `${last.file} on ${last.node}`;
  const message = `the last one is ${days === 0 ? "less than a day" : formatCount(days, "day")} old: ${location}`;
  if (now - last.at.getTime() > lateAfterMs)
    return createFinding(`${message}.${reason}`, "Run: ./newsroom backup");
  if (last.node === hostname() && !(await stat(last.file).catch(() => null)))
    return warning(
      `${message}, but this file no longer exists.`,
      "If you did not move it to another machine, run: ./newsroom backup",
    );
  return good(message);
}
