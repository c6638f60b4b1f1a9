import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { hostname, totalmem } from "node:os";
import { hasErrorCode } from "../../../app/lib/error-code.ts";
import {
  bad,
  errorMessage,
  type Finding,
  good,
  warning,
} from "../../../app/lib/newsroom/finding.ts";
import { formatCount, formatSize } from "../../../app/lib/newsroom/printing.ts";
import type { Database } from "../../../db/database.ts";
import { minNodeVersion, version } from "../../process/version.ts";
import { type Delay, delayMs } from "../../process/watchdog.ts";
import { readLastBackup } from "../backup/backup-command.ts";
import { findDailyBackups, lateAfterMs } from "../backup/daily-backup.ts";
import type { ServerCommandContext } from "../context.ts";

const lowSpaceBytes = 2_000_000_000;
const criticalSpaceBytes = 200_000_000;
/** Of all the memory that the machine has. */
const highMemoryShare = 0.7;
const dayMs = 86_400_000;
const responseTimeoutMs = 5_000;
/** Readers notice a page that takes a second; shorter delays are only worth knowing. */
const longDelayMs = 1_000;

export function program(): Finding[] {
  const running = process.versions.node;
  const isEnough = running.localeCompare(minNodeVersion, "en", { numeric: true }) >= 0;
  const says = `Harborline ${version} on Node ${running}`;
  return isEnough
    ? [good("program", says)]
    : [
        bad(
          "program",
          says,
          `It needs Node ${minNodeVersion} or newer: run "npm ci", which brings it.`,
        ),
      ];
}

export async function dataFolder({
  config: { dataDir },
}: ServerCommandContext): Promise<Finding[]> {
  const found = await stat(dataDir).catch(() => null);
  if (!found)
    return [
      bad(
        "data folder",
        `There is no folder ${dataDir}.`,
        "Set DATA_DIR as it is set for the server. A first start creates it.",
      ),
    ];
  if (!found.isDirectory())
    return [bad("data folder", `${dataDir} is not a folder.`, "Set DATA_DIR to another path.")];
  const { mode, uid } = found;
  const me = process.getuid?.() ?? uid;
  if (uid !== me && me !== 0)
    return [
      bad(
        "data folder",
        `${dataDir} belongs to another user.`,
        `chown -R it to the server's user.`,
      ),
    ];
  const refused = await access(dataDir, constants.W_OK).catch((error: unknown) => error);
  if (hasErrorCode(refused, "EROFS"))
    return [
      bad(
        "data folder",
        `The file system of ${dataDir} is read-only.`,
        "Mount it writable. After a disk error check the disk first (dmesg), and copy the last backup elsewhere.",
      ),
    ];
  if (refused)
    return [bad("data folder", `${dataDir} cannot be written to.`, `chmod 700 ${dataDir}`)];
  return mode & 0o077
    ? [
        warning(
          "data folder",
          `Others on this machine can look into ${dataDir}.`,
          `chmod 700 ${dataDir}`,
        ),
      ]
    : [good("data folder", `${dataDir} is open to its owner only`)];
}

export async function disk({ config: { dataDir } }: ServerCommandContext): Promise<Finding[]> {
  const found = await statfs(dataDir).catch(() => null);
  // The check of the folder has said that it is missing.
  if (!found) return [];
  const { bavail, bsize } = found;
  const free = bavail * bsize;
  const says = `${formatSize(free)} free`;
  const fix = `Make room on the disk of ${dataDir}: old backups and logs first.`;
  if (free < criticalSpaceBytes) return [bad("disk", `only ${says}`, fix)];
  return [free < lowSpaceBytes ? warning("disk", `only ${says}`, fix) : good("disk", says)];
}

/** Whether the site is open, and how the process is that answers. */
export async function server({
  isServing,
  config: { host, port },
}: ServerCommandContext): Promise<Finding[]> {
  if (!isServing)
    return [
      warning("server", "No server is running on this data folder.", 'Start it: "npm start".'),
    ];
  const { rss } = process.memoryUsage();
  const hours = Math.floor(process.uptime() / 3600);
  const says = `open for ${hours < 1 ? "less than an hour" : formatCount(hours, "hour")}, ${formatSize(rss)} of memory`;
  const memory =
    rss > totalmem() * highMemoryShare
      ? [
          warning(
            "memory",
            "The server takes most of the machine's memory.",
            "Restart it when few read, and watch.",
          ),
        ]
      : [];
  // Port 0 is one that the system chose; whoever asked for that knows where it is.
  if (port === 0) return [good("server", says), ...memory];
  const place =
    host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const asked = `http://${place}:${port}/readyz`;
  // Its own server, so neither OFFLINE nor the rule about public addresses applies.
  const fault = await fetch(asked, { signal: AbortSignal.timeout(responseTimeoutMs) }).then(
    // That the database is away is a finding of its own, and no reason to restart the server.
    (answer) => (answer.ok || answer.status === 503 ? null : `answers ${answer.status}`),
    (error: unknown) => errorMessage(error),
  );
  return [
    fault === null
      ? good("server", says)
      : bad("server", `${asked}: ${fault}`, "Look into its log, and restart it."),
    ...memory,
  ];
}

/** Whether readers had to wait because the server was busy with something else. */
export function delays({ isServing, worstDelays }: ServerCommandContext): Finding[] {
  const worst = worstDelays?.() ?? null;
  if (!worst)
    return [
      good(
        "delays",
        isServing ? "not measured in development" : "not measured: no server is running",
      ),
    ];
  const { busy, suspended } = worst;
  const longest = (delay: Delay) =>
    `${secondsText(delay.ms)} at ${delay.at.toISOString().slice(11, 16)} UTC`;
  const during = busy && busy.running.length > 0 ? `, during ${busy.running.join(", ")}` : "";
  if (busy && busy.ms >= longDelayMs)
    return [
      warning(
        "delays",
        `Within the last hour everybody waited for ${longest(busy)}${during}.`,
        "The log has every such delay at event_loop.blocked.",
      ),
    ];
  if (suspended)
    return [
      warning(
        "delays",
        `Within the last hour the server did not run for ${longest(suspended)}.`,
        "Was the machine asleep? If not, look at what else uses its processor, memory and disk.",
      ),
    ];
  return [
    good(
      "delays",
      busy
        ? `the longest within the last hour was ${longest(busy)}${during}`
        : `none of ${secondsText(delayMs)} or more within the last hour`,
    ),
  ];
}

const secondsText = (ms: number) => `${(ms / 1_000).toFixed(1)} seconds`;

/**
 * Whether there is a good backup of the last day, by hand or by the clock, on this node or another.
 */
export async function backups(
  context: ServerCommandContext,
  db: Database | null,
  isDaily: boolean,
): Promise<Finding[]> {
  const now = context.clock().getTime();
  const byHand = await readLastBackup((file) => readFile(file, "utf8"), context);
  // A database that does not answer is another finding. Nobody knows then about backups of other
  // nodes.
  if (!db && !byHand) return [];
  const { lastGood: byClock, lastError: fault } = db
    ? await findDailyBackups(db, context.clock())
    : { lastGood: null, lastError: null };
  const last =
    byHand && (!byClock || byHand.at >= byClock.at) ? { ...byHand, node: hostname() } : byClock;
  const why = fault === null ? "" : ` The last try failed: ${fault}`;
  const complain = isDaily && (fault !== null || last !== null) ? bad : warning;
  if (last === null)
    return [
      complain(
        "backup",
        `There has never been a backup.${why}`,
        isDaily && fault === null
          ? "The server makes one by itself within half an hour, and then every day."
          : "./newsroom backup",
      ),
    ];
  const days = Math.floor((now - last.at.getTime()) / dayMs);
  const where = last.node === hostname() ? last.file : `${last.file} on ${last.node}`;
  const says = `the last one is ${days === 0 ? "of today" : `${formatCount(days, "day")} old`}: ${where}`;
  if (now - last.at.getTime() > lateAfterMs)
    return [complain("backup", `${says}.${why}`, "./newsroom backup")];
  if (last.node === hostname() && !(await stat(last.file).catch(() => null)))
    return [
      warning(
        "backup",
        `${says}, which is no longer there.`,
        "Is it on another machine? If not: ./newsroom backup",
      ),
    ];
  return [good("backup", says)];
}
