import { statfsSync } from "node:fs";
import { join } from "node:path";
import { damageCodes } from "../../db/damage-codes.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { SetupError } from "./setup-error.ts";

/** What is wrong with a folder, by the error code of the operating system. */
const folderErrors: Record<string, string> = {
  EACCES: "this user may not write to it. Give it to the user of the server: chown -R <user>",
  EPERM: "this user may not write to it. Give it to the user of the server: chown -R <user>",
  EROFS:
    "its file system is read-only. Mount it writable; after a disk error, check the disk first (dmesg)",
  ENOSPC: "its disk is full. Make space: delete old backups and logs",
  EDQUOT: "its disk quota is used up. Make space: delete old backups and logs",
  ENOTDIR: "a part of this path is a file, not a folder. Set DATA_DIR to another path",
  EEXIST: "there is a file of this name. Set DATA_DIR to another path",
  ENOENT: "it cannot be created there. Set DATA_DIR to another path",
  EIO: "its disk reports errors. Check the disk (dmesg), then restore the last backup to a good one",
};

/** A sentence for an operating system's error about the data folder; null for any other error. */
export function toFolderError(dataDir: string, error: unknown): SetupError | null {
  const code = errorCode(error);
  const fault = code === undefined ? undefined : folderErrors[code];
  return fault === undefined
    ? null
    : new SetupError(`The data folder ${dataDir} cannot be used: ${fault}.`, { cause: error });
}

type DatabaseLocation = { dataDir: string; databaseUrl?: string | undefined };

/**
 * A sentence for a database that could not be opened; null for what only a developer can explain.
 */
export function toDatabaseError(
  { dataDir, databaseUrl }: DatabaseLocation,
  error: unknown,
): SetupError | null {
  return databaseUrl === undefined
    ? toBuiltInError(dataDir, error)
    : toPostgresError(databaseUrl, error);
}

const diskFull = "53100";

/** What to do about damaged files of the built-in database. */
export function restoreAdvice(dataDir: string): string {
  const folder = join(dataDir, "database");
  return `Stop the service, keep them for later ("mv ${folder} ${folder}-damaged"), then put the last backup back: "./newsroom restore" lists the backups, "./newsroom restore <backup> --new-database" restores one.`;
}

function toBuiltInError(dataDir: string, error: unknown): SetupError | null {
  const cause = rootCause(error);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  // Creating a database is another process's work, of which only the words arrive here.
  const isFull =
    findDiskFull(error) !== null ||
    code === diskFull ||
    /\bENOSPC\b|No space left on device/.test(message) ||
    hasLittleSpace(dataDir);
  const fault = toFolderError(
    dataDir,
    isFull ? Object.assign(new Error(message), { code: "ENOSPC" }) : cause,
  );
  if (fault) return fault;
  // The database has answered, and did not like what it was asked: a mistake of ours.
  if (code !== undefined && !damageCodes.includes(code)) return null;
  const folder = join(dataDir, "database");
  // What is left of an abort inside WebAssembly says nothing to anybody.
  const reason = /^Aborted\(/.test(message)
    ? "Postgres gave up reading them"
    : message.split("\n")[0];
  return new SetupError(
    [
      `The database in ${folder} cannot be opened, its files seem to be damaged (${reason}).`,
      restoreAdvice(dataDir),
    ].join(" "),
    { cause: error },
  );
}

/**
 * The built-in database does not say that its disk is full; it needs two files of 16 MB for its log
 * when it opens.
 */
const neededBytes = 32 * 1024 * 1024;

function hasLittleSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < neededBytes;
  } catch {
    return false;
  }
}

/**
 * What is wrong with the connection to Postgres, by the code of the operating system or of
 * Postgres.
 */
const postgresErrors: Record<string, string> = {
  ECONNREFUSED: "nothing listens there. Is Postgres running?",
  ENOENT: "nothing listens there. Is Postgres running?",
  ECONNRESET:
    "the connection is closed at once. If Postgres is restarting, try again in a moment; if not, is that a Postgres?",
  ENOTFOUND: "there is no machine of that name.",
  EAI_AGAIN: "the name of the machine cannot be looked up now.",
  EHOSTUNREACH: "there is no way to that machine.",
  ENETUNREACH: "there is no way to that machine.",
  ETIMEDOUT: "it does not answer.",
  "28P01": "user or password is wrong.",
  "28000": "it does not let this user in.",
  "3D000": "it has no database of that name.",
  "42501": "this user may not create tables there.",
  "53300": "it has no connection left.",
  "57P03": "it is starting or stopping. Try again in a moment.",
};

function toPostgresError(databaseUrl: string, error: unknown): SetupError | null {
  const cause = rootCause(error);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : "";
  const fault =
    code !== undefined
      ? postgresErrors[code]
      : /timeout/i.test(message)
        ? postgresErrors.ETIMEDOUT
        : // Of pg itself, such as a server that does not speak its protocol or no TLS.
          message.replace(/\.?$/, ".");
  if (fault === undefined) return null;
  const { host, pathname } = new URL(databaseUrl);
  return new SetupError(`The database ${host}${pathname} (DATABASE_URL) cannot be used: ${fault}`, {
    cause: error,
  });
}

/** Whether an error means that Postgres is starting or stopping: it may answer in a moment. */
export function isPostgresRestarting(error: unknown): boolean {
  const code = errorCode(rootCause(error));
  return code === "57P03" || code === "ECONNRESET";
}

/** What a failed query or a thread that ended was caused by. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}

const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
