import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { QueryOptions, Results } from "@electric-sql/pglite";
import type { Reply, Request, ThreadData } from "./worker.ts";

/**
 * Relative to the folder in which the server is started, not to this file, because the build moves
 * this code into a bundle.
 */
const workerFile = join("db", "pglite", "worker.ts");

/**
 * The thread ended before it completed the statements that it had received. Committed transactions
 * are on disk.
 */
class ThreadEndedError extends Error {
  override name = "DatabaseThreadEnded";
}

type RequestWithoutId<R = Request> = R extends Request ? Omit<R, "id"> : never;

/** A worker thread with an open database, which answers requests one after another. */
export type Thread = {
  request<T>(message: RequestWithoutId, transfer?: ArrayBuffer[]): Promise<Results<T>[]>;
  /** Begins a transaction after all earlier requests, and returns its number. */
  begin(): number;
  ready: Promise<void>;
  isReady(): boolean;
  /**
   * Returns how many times in a row it was called while requests were open and no reply arrived.
   */
  countSilentChecks(): number;
  end(reason: string): void;
  /** Resolves with the reason when the thread has ended. */
  ended: Promise<Error>;
};

export function startThread(
  workerData: ThreadData,
  onNotification: (channel: string, payload: string) => void,
): Thread {
  const worker = new Worker(resolve(workerFile), {
    name: "database",
    workerData,
    // Results are short-lived. Without this limit V8 would use up to 48 MB for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const pendingRequests = new Map<
    number,
    { resolve(results: Results<never>[]): void; reject(error: Error): void }
  >();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let requestCount = 0;
  let silentChecks = 0;
  let reason: string | undefined;
  let cause: unknown;
  let endError: Error | undefined;

  worker.on("message", (reply: Reply) => {
    silentChecks = 0;
    switch (reply.kind) {
      case "ready":
        isReady = true;
        return ready.resolve();
      case "notification":
        return onNotification(reply.channel, reply.payload);
      case "broken":
        reason = reply.reason;
        return;
      case "done":
        pendingRequests.get(reply.id)?.resolve(reply.results as Results<never>[]);
        break;
      case "failed":
        pendingRequests.get(reply.id)?.reject(Object.assign(new Error(), reply.error));
    }
    pendingRequests.delete(reply.id);
  });
  worker.on("error", (error) => {
    cause = error;
    ready.reject(error);
  });
  const ended = new Promise<Error>((resolve) => {
    worker.on("exit", (code) => {
      const why = reason ?? (cause instanceof Error ? cause.message : `exit code ${code}`);
      endError = new ThreadEndedError(`The database thread has ended: ${why}`, { cause });
      ready.reject(endError);
      for (const { reject } of pendingRequests.values()) reject(endError);
      pendingRequests.clear();
      resolve(endError);
    });
  });
  const request = (message: RequestWithoutId, transfer: ArrayBuffer[] = []) => {
    requestCount += 1;
    const id = requestCount;
    return new Promise<Results<never>[]>((resolve, reject) => {
      if (endError) return reject(endError);
      worker.postMessage({ ...message, id }, transfer);
      pendingRequests.set(id, { resolve, reject });
    });
  };
  return {
    request,
    begin() {
      // If the transaction cannot begin, its first query fails with the same error.
      request({ kind: "begin" }).catch(() => {});
      return requestCount;
    },
    ready: ready.promise,
    isReady: () => isReady,
    // Counts checks instead of time: after the machine was asleep, a reply may have arrived that
    // has not been processed yet.
    countSilentChecks() {
      silentChecks = isReady && pendingRequests.size === 0 ? 0 : silentChecks + 1;
      return silentChecks;
    },
    end(why) {
      reason ??= why;
      worker.terminate();
    },
    ended,
  };
}

export async function query<T>(
  thread: Thread,
  transaction: number | null,
  text: string,
  params: unknown[] = [],
  { rowMode = "object", parsers = {} }: QueryOptions = {},
): Promise<Results<T>> {
  const transfer: ArrayBuffer[] = [];
  // The caller keeps its bytes, so a copy is transferred.
  const transferableParams = params.map((param) => {
    if (!(param instanceof Uint8Array)) return param;
    const copy = new Uint8Array(param);
    transfer.push(copy.buffer);
    return copy;
  });
  const asText = Object.keys(parsers).map(Number);
  const request = {
    kind: "query" as const,
    transaction,
    text,
    params: transferableParams,
    rowMode,
    asText,
  };
  const [result] = await thread.request<T>(request, transfer);
  if (!result) throw new Error("The database returned no result.");
  return parseColumns(result, rowMode, parsers);
}

/**
 * Parses the values for which the caller has a parser. Parsers are functions and cannot be sent to
 * the thread, so these values arrive as text.
 */
function parseColumns<T>(
  result: Results<T>,
  rowMode: "array" | "object",
  parsers: NonNullable<QueryOptions["parsers"]>,
): Results<T> {
  for (const [index, { name, dataTypeID }] of result.fields.entries()) {
    const parse = parsers[dataTypeID];
    if (!parse) continue;
    const key = rowMode === "array" ? index : name;
    for (const row of result.rows) {
      const cells = row as Record<string | number, unknown>;
      if (cells[key] !== null) cells[key] = parse(String(cells[key]));
    }
  }
  return result;
}
