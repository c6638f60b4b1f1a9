import { join } from "node:path";
import { errorCode } from "../../app/lib/error-code.ts";
import { findSystemMessage } from "../../app/lib/system-error.server.ts";
import { OlderDatabaseError } from "../../db/database.ts";
import { findDiskFull } from "../../db/pglite/disk-space.ts";
import { SetupError } from "./setup-error.ts";

/**
 * Explains an error of the operating system about the data folder. Returns null for any other
 * error.
 */
export function toFolderError(dataDir: string, error: unknown): SetupError | null {
  const reason = findSystemMessage(error);
  return reason === undefined
    ? null
    : new SetupError(
        `Could not use the data folder ${dataDir}: ${reason}. Correct this, or set DATA_DIR to another folder.`,
        { cause: error },
      );
}

type DatabaseLocation = { dataDir: string; databaseUrl?: string | undefined };

/** Explains why the database could not be opened. Returns null for an error that is our bug. */
export function toDatabaseError(
  { dataDir, databaseUrl }: DatabaseLocation,
  error: unknown,
): SetupError | null {
  if (error instanceof OlderDatabaseError) return toOlderError({ dataDir, databaseUrl }, error);
  return databaseUrl === undefined
    ? toBuiltInError(dataDir, error)
    : toPostgresError(databaseUrl, error);
}

function toOlderError({ dataDir, databaseUrl }: DatabaseLocation, cause: unknown): SetupError {
  const [place, alternative] =
    databaseUrl === undefined
      ? [`in ${join(dataDir, "database")}`, "DATA_DIR to another folder"]
      : [nameDatabase(databaseUrl), "DATABASE_URL to another database"];
  return new SetupError(
    `The database ${place} was made by an older version of Harborline, which this version cannot upgrade; it was not changed, so use that version for it, or set ${alternative}.`,
    { cause },
  );
}

/** The error code of Postgres for a full disk. */
const diskFull = "53100";

/** Error codes of Postgres for missing, unreadable or damaged files. */
const damageCodes = ["58P01", "58030", "XX001", "XX002"];

/** Whether a query failed because files of the database are damaged. */
export const isDamage = (error: unknown): boolean =>
  damageCodes.includes(errorCode(rootCause(error)) ?? "");

export function restoreAdvice(dataDir: string): string {
  const folder = join(dataDir, "database");
  return `Stop the service, move the damaged files away ("mv ${folder} ${folder}-damaged"), and restore the last backup: "./newsroom restore list" lists the backups, "./newsroom restore <backup> --new-database" restores one.`;
}

function toBuiltInError(dataDir: string, error: unknown): SetupError | null {
  const full = findDiskFull(error);
  if (full)
    return new SetupError(
      `${full.message} Free some space by deleting old backups and logs, or set DATA_DIR to another disk.`,
      { cause: error },
    );
  const cause = rootCause(error);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  // Another process creates the database, and only its error message arrives here.
  const isFull = code === diskFull || /\bENOSPC\b|No space left on device/.test(message);
  const folderError = toFolderError(
    dataDir,
    isFull ? Object.assign(new Error(message), { code: "ENOSPC" }) : cause,
  );
  if (folderError) return folderError;
  // The database works and has rejected a statement, so the error is our bug.
  if (code !== undefined && !isDamage(error)) return null;
  const folder = join(dataDir, "database");
  // The message of an abort inside WebAssembly explains nothing.
  const reason = /^Aborted\(/.test(message)
    ? "Postgres could not read them"
    : message.split("\n")[0];
  return new SetupError(
    [
      `Could not open the database in ${folder}. Its files seem to be damaged (${reason}).`,
      restoreAdvice(dataDir),
    ].join(" "),
    { cause: error },
  );
}

/** The error codes of Postgres about users, permissions, unknown databases and its own state. */
const connectionCode = /^(?:28|3D|42501|53|57P)/;

function toPostgresError(databaseUrl: string, error: unknown): SetupError | null {
  const cause = rootCause(error);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : "";
  // Postgres works and has rejected a statement, so the error is our bug.
  const systemMessage = findSystemMessage(cause);
  const isSqlState = systemMessage === undefined && /^[0-9A-Z]{5}$/.test(code ?? "");
  if (isSqlState && !connectionCode.test(code ?? "")) return null;
  const reason = systemMessage ?? message;
  return new SetupError(
    `Could not use the database ${nameDatabase(databaseUrl)} (DATABASE_URL): ${reason.replace(/\.?$/, ".")}`,
    { cause: error },
  );
}

/** The database of a URL, without the user name and password. */
function nameDatabase(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** The innermost cause of a failed query or of a thread that ended. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}
