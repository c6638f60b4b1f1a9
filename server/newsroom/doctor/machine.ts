import { access, constants, stat } from "node:fs/promises";
import { clockTime } from "../../../app/lib/dates.ts";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import { bad, type Finding, good, warning } from "../../../app/lib/newsroom/finding.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import { freeBytes } from "../../../db/pglite/disk-space.ts";
import { minNodeVersion, version } from "../../process/version.ts";
import { minDelayMs } from "../../process/watchdog.ts";
import { findLastBackup, lateAfterMs } from "../backup/daily-backup.ts";
import type { ServerCommandContext } from "../commands.ts";

const lowSpaceBytes = 2_000_000_000;
const criticalSpaceBytes = 200_000_000;
const dayMs = 86_400_000;
/** Readers notice a delay of a second. A shorter delay is mentioned, but is not a warning. */
const longDelayMs = 1_000;
/** A server has made its first backup by then: see backupDelaySeconds in composition.ts. */
const firstBackupMs = 3_600_000;

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

/** Checks whether there is a backup from the last day, made by hand or by the daily job. */
export async function checkBackups(
  context: ServerCommandContext,
  { daily, folder }: { daily: boolean; folder?: string | undefined },
): Promise<Finding> {
  const now = context.clock();
  const last = await findLastBackup(context, folder, now);
  if (last === null) {
    const isOverdue = daily && context.isServing && process.uptime() * 1_000 > firstBackupMs;
    return (isOverdue ? bad : warning)(
      "There is no backup yet.",
      daily
        ? "The server makes the first one within half an hour, and then one every day. If it does not, search its log for backup.failed."
        : "Run: ./newsroom backup",
    );
  }
  const ageMs = now.getTime() - last.madeAt.getTime();
  const days = Math.floor(ageMs / dayMs);
  const message = `the last one is ${days === 0 ? "less than a day" : formatCount(days, "day")} old: ${last.file}`;
  if (ageMs <= lateAfterMs) return good(message);
  const createFinding = daily ? bad : warning;
  return createFinding(
    `${message}.`,
    "Run: ./newsroom backup. If that works, search the server's log for backup.failed.",
  );
}
