import pg from "pg";

/** SQLSTATE classes which mean that Postgres cannot run any statement at the moment. */
const unavailableClasses = ["08", "53"];
/** SQLSTATE codes with the same meaning. */
const unavailableCodes = new Set([
  // Canceled by statement_timeout.
  "57014",
  // Shutting down, crashed, starting up.
  "57P01",
  "57P02",
  "57P03",
  // Read-only, for example a standby server.
  "25006",
]);
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** Errors of the driver that have a message but no code. */
const driverMessages = [
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Connection terminated",
  "The database does not respond.",
];

/**
 * Whether an error means that the database is unreachable, does not respond or has no disk space,
 * and not that our statement is wrong. The query builder wraps the cause in its own error.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isUnavailable(error) || isDatabaseUnavailable(error.cause);
}

export const orIfUnavailable = <T>(reading: Promise<T>, fallback: T): Promise<T> =>
  reading.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
    return fallback;
  });

function isUnavailable(error: Error): boolean {
  if (error.name === "DatabaseThreadEnded" || error.name === "DiskFull") return true;
  if (driverMessages.some((message) => error.message.startsWith(message))) return true;
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof pg.DatabaseError)
    return unavailableCodes.has(code) || unavailableClasses.includes(code.slice(0, 2));
  return networkCodes.has(code);
}
