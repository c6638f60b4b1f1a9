import { stripControlCharacters } from "./text/plain-text.ts";

/** The fields of a log line. Programs filter lines by the name of the event; people read these. */
type Fields = Record<string, string | number | boolean | null | undefined>;
export type Log = {
  with(fields: Fields): Log;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
};

type Level = "info" | "warn" | "error";
type Sink = { write(text: string): unknown; isTTY?: boolean };

const colors: Record<Level, string> = {
  info: "\u001b[2m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
const resetColor = "\u001b[0m";

/** Writes one JSON line per event or, in a terminal, a line that is easier to read. */
export function createLog(
  sink: Sink,
  now: () => Date = () => new Date(),
  commonFields?: Fields,
): Log {
  const write = (level: Level, event: string, eventFields: Fields = {}) => {
    const time = now().toISOString();
    const fields = commonFields ? { ...commonFields, ...eventFields } : eventFields;
    if (!sink.isTTY) {
      sink.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
      return;
    }
    const details = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(
        ([key, value]) =>
          `${key}=${typeof value === "string" ? stripControlCharacters(value) : value}`,
      )
      .join(" ");
    sink.write(`${colors[level]}${time.slice(11, 19)} ${event}${resetColor} ${details}\n`);
  };
  return {
    with: (fields) => createLog(sink, now, { ...commonFields, ...fields }),
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
  };
}

/** Some libraries report not an error but a plain object with the same fields. */
const isErrorLike = (thrown: unknown): thrown is Error =>
  typeof thrown === "object" &&
  thrown !== null &&
  "message" in thrown &&
  typeof thrown.message === "string";

/**
 * Returns the log fields for a thrown value. A failed query repeats its parameters in its message
 * and stack. The parameters contain text and email addresses of readers, which must not be logged,
 * so only the query is logged.
 */
export function errorFields(thrown: unknown): Fields {
  if (!isErrorLike(thrown)) return { message: String(thrown) };
  // The stack begins with the message, and any line of the message may look like a stack frame.
  const { stack: fullStack = "", message } = thrown;
  const stack = fullStack
    .slice(
      fullStack.startsWith(`${thrown.name}: ${message}`)
        ? thrown.name.length + 2 + message.length
        : 0,
    )
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .join("\n");
  if (isFailedQuery(thrown))
    return {
      message: "a query failed",
      query: String(thrown.query),
      cause: causeMessage(thrown),
      stack,
    };
  return { message, stack };
}

const isFailedQuery = (thrown: Error): thrown is Error & { query: unknown } =>
  "query" in thrown && "params" in thrown;

const causeMessage = ({ cause }: Error) => (cause instanceof Error ? cause.message : undefined);

/** Returns the message for a person at a terminal, also without the parameters of a query. */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return isFailedQuery(thrown)
    ? `The database query failed: ${causeMessage(thrown) ?? "the database gave no reason"}.`
    : thrown.message;
}

const maxLoggedPathLength = 200;

/**
 * The signature of a preview link, or most of it. It follows the time at which the link expires.
 */
const signature = /\.[\w-]{20}/;
/** Most paths: they contain nothing to decode, and no signature. */
const ordinaryPath = /^(?!.*\.[\w-]{20})[\w./-]*$/;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the path of a URL as it may be logged: without the query string, which may tell what a
 * reader is looking for, and without the signature of a preview link.
 */
export function toLoggedPath(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (ordinaryPath.test(path)) return path.slice(0, maxLoggedPathLength);
  // With the signature of a preview link everyone could read the draft.
  const decoded = decodePath(decodePath(path)).replaceAll(/\p{Cc}/gu, "");
  const end = decoded.search(signature);
  const logged = end === -1 ? path : `${decoded.slice(0, end).replace(/[^/\\]*$/, "")}…`;
  return logged.slice(0, maxLoggedPathLength);
}
