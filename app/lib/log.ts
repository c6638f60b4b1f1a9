/** A log line is a named event with fields: machines filter by the name, people read the fields. */
export type Fields = Record<string, string | number | boolean | null | undefined>;
export type Log = {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
};

type Level = "info" | "warn" | "error";
type Sink = { write(text: string): unknown; isTTY?: boolean };

const colour: Record<Level, string> = { info: "\u001b[2m", warn: "\u001b[33m", error: "\u001b[31m" };
const plain = "\u001b[0m";

/** JSON, one line an event; in a terminal the same line set for the eye. */
export function createLog(sink: Sink, now: () => Date = () => new Date()): Log {
  const write = (level: Level, event: string, fields: Fields = {}) => {
    const time = now().toISOString();
    if (!sink.isTTY) {
      sink.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
      return;
    }
    const details = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${value}`)
      .join(" ");
    sink.write(`${colour[level]}${time.slice(11, 19)} ${event}${plain} ${details}\n`);
  };
  return {
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
  };
}

/** The fields of something thrown: what to search for, and where it came from. */
export function errorFields(thrown: unknown): Fields {
  return thrown instanceof Error
    ? { message: thrown.message, stack: thrown.stack }
    : { message: String(thrown) };
}
