import { stripControlCharacters } from "./text/plain-text.ts";

/** A log line is a named event with fields: machines filter by the name, people read the fields. */
type Fields = Record<string, string | number | boolean | null | undefined>;
export type Log = {
  /** The same log, with fields that every line of it carries. */
  with(fields: Fields): Log;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
};

type Level = "info" | "warn" | "error";
type Sink = { write(text: string): unknown; isTTY?: boolean };

const colour: Record<Level, string> = {
  info: "\u001b[2m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
const plain = "\u001b[0m";

/** JSON, one line an event; in a terminal the same line set for the eye. */
export function createLog(sink: Sink, now: () => Date = () => new Date(), always?: Fields): Log {
  const write = (level: Level, event: string, extra: Fields = {}) => {
    const time = formatTime(now());
    const fields = always ? { ...always, ...extra } : extra;
    if (!sink.isTTY) {
      const rest = JSON.stringify(fields).slice(1);
      sink.write(
        `{"time":"${time}","level":"${level}","event":"${event}"${rest === "}" ? "" : ","}${rest}\n`,
      );
      return;
    }
    const details = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(
        ([key, value]) =>
          `${key}=${typeof value === "string" ? stripControlCharacters(value) : value}`,
      )
      .join(" ");
    sink.write(`${colour[level]}${time.slice(11, 19)} ${event}${plain} ${details}\n`);
  };
  return {
    with: (fields) => createLog(sink, now, { ...always, ...fields }),
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
  };
}

let lastTime = Number.NaN;
let lastText = "";

/**
 * A busy server writes many lines in one millisecond, and setting a time costs as much as the rest
 * of the line.
 */
function formatTime(time: Date): string {
  if (time.getTime() !== lastTime) {
    lastTime = time.getTime();
    lastText = time.toISOString();
  }
  return lastText;
}

/** Some libraries report a copy of an error, a plain object with its fields. */
const isErrorLike = (thrown: unknown): thrown is Error =>
  typeof thrown === "object" &&
  thrown !== null &&
  "message" in thrown &&
  typeof thrown.message === "string";

/**
 * The fields of something thrown: what to search for, and where it came from. A failed query tells
 * its parameters in message and stack; those are readers' words and addresses, which a log must not
 * hold, so only the query is taken.
 */
export function errorFields(thrown: unknown): Fields {
  if (!isErrorLike(thrown)) return { message: String(thrown) };
  // The stack begins with the message, of which any line may look like a place in the code.
  const { stack: whole = "", message } = thrown;
  const stack = whole
    .slice(
      whole.startsWith(`${thrown.name}: ${message}`) ? thrown.name.length + 2 + message.length : 0,
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

/**
 * Something thrown as a person at a terminal reads it, likewise without the parameters of a query.
 */
export function errorMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return isFailedQuery(thrown)
    ? `The database could not answer: ${causeMessage(thrown) ?? "it gave no reason"}.`
    : thrown.message;
}
