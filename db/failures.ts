import pg from "pg";

/**
 * Classes and codes of Postgres (SQLSTATE) that say that it cannot work now, whatever it is asked.
 */
const unavailableClasses = ["08", "53"];
const unavailableCodes = new Set([
  // Ended because it took too long, by statement_timeout.
  "57014",
  // Shutting down, crashed, starting.
  "57P01",
  "57P02",
  "57P03",
  // A copy that may only be read.
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
/** The driver gives these errors nothing but words. */
const driverMessages = [
  "timeout exceeded when trying to connect",
  "Query read timeout",
  "Connection terminated",
  "The database does not respond.",
];

/**
 * Whether an error means that the database is away, silent or has no room, rather than that we
 * asked something wrong. The query builder puts an error of its own around the cause.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isUnavailable(error) || isDatabaseUnavailable(error.cause);
}

function isUnavailable(error: Error): boolean {
  if (error.name === "DatabaseThreadEnded" || error.name === "DiskFull") return true;
  if (driverMessages.some((words) => error.message.startsWith(words))) return true;
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof pg.DatabaseError)
    return unavailableCodes.has(code) || unavailableClasses.includes(code.slice(0, 2));
  return networkCodes.has(code);
}
