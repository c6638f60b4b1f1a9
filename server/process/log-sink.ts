import { writeSync } from "node:fs";

const flushEveryMs = 20;
const flushAtLength = 64 * 1024;

/**
 * Creates a sink that writes log lines in batches, with one system call for hundreds of requests.
 * In a terminal every line is written immediately. The last lines are written when the process
 * exits; only kill -9 loses them.
 */
export function batchedSink(stream: NodeJS.WriteStream & { fd: number }) {
  if (stream.isTTY) return stream;
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (write: (text: string) => unknown) => {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== "") write(pending);
    pending = "";
  };
  process.once("exit", () => flush((text) => writeSync(stream.fd, text)));
  return {
    write(line: string) {
      pending += line;
      if (pending.length >= flushAtLength) flush((text) => stream.write(text));
      else timer ??= setTimeout(() => flush((text) => stream.write(text)), flushEveryMs).unref();
    },
  };
}
