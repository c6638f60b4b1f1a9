import { dirname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { QueryOptions, Results } from "@electric-sql/pglite";
import type { ChannelListener, PgliteClient } from "./client.ts";
import { findDiskFull, openingBytes, watchDiskSpace } from "./disk-space.ts";
import { maintain } from "./maintenance.ts";
import type { Reply, Request, ThreadData } from "./worker.ts";

/**
 * Relative to the folder in which the server is started, because the bundle moves this file's code.
 */
const workerFile = join("db", "pglite", "worker.ts");

/**
 * How long queries fail immediately after the database could not be opened, for example because the
 * disk is full. Then the next query tries again.
 */
const retryAfterMs = 1_000;

/** The error code of Postgres for a write in a read-only transaction. */
const readOnlyCode = "25006";

type Row = Record<string, unknown>;

/**
 * The thread has ended before it completed its open statements. Committed transactions are on disk.
 */
class ThreadEndedError extends Error {
  override name = "DatabaseThreadEnded";
}

type Options = {
  folder: string;
  onError(error: Error): void;
  /** Runs after each opening and before other queries, to migrate the tables. */
  prepare?: (client: PgliteClient) => Promise<void>;
  hangTimeoutMs?: typeof defaultHangTimeoutMs;
};

/** How often the disk and the thread are checked. */
const checkEveryMs = 500;
/** The disk reserve is created after this time, so only by servers, not by short commands. */
const reserveAfterMs = 60_000;
const maintainEveryMs = 60_000;
/**
 * A thread that does not respond for this long hangs, and is terminated. On a full disk it may loop
 * forever. Otherwise it may run a long statement, such as a migration.
 */
const defaultHangTimeoutMs = { onFullDisk: 10_000, normal: 600_000 };
/** Opening includes recovery after a crash, which replays the whole log. */
const openTimeoutMs = 600_000;

/**
 * Runs PGlite in a worker thread, so that queries do not delay requests that do not need the
 * database. If the thread ends unexpectedly, its open queries and transactions fail, and a new
 * thread opens the database again. While the disk is nearly full, the database is read-only.
 */
export async function openPgliteThread({
  folder,
  onError,
  prepare = async () => {},
  hangTimeoutMs = defaultHangTimeoutMs,
}: Options): Promise<PgliteClient> {
  const listeners = new Map<string, ChannelListener>();
  const disk = watchDiskSpace(dirname(folder));
  const readOnly = new WeakSet<Thread>();
  let isReadOnly = false;
  let isClosing = false;
  let isLost = false;
  let failed: { error: unknown; at: number } | undefined;
  let opening: Promise<Thread> | undefined;
  /** The current thread, even while it is still opening the database. */
  let running: Thread | undefined;

  /** Makes the session read-only or writable. Postgres itself knows best which statements write. */
  const updateReadOnly = async (thread: Thread) => {
    const isForbidden = isReadOnly || disk.isLow();
    if (readOnly.has(thread) === isForbidden) return;
    if (isForbidden) readOnly.add(thread);
    else readOnly.delete(thread);
    await thread.request({ kind: "exec", transaction: null, text: readOnlyText(isForbidden) });
  };
  const open = async (): Promise<Thread> => {
    await disk.makeRoom(openingBytes);
    const thread = startThread({ folder }, (channel, payload) =>
      listeners.get(channel)?.received(payload),
    );
    running = thread;
    try {
      await thread.ready;
      await updateReadOnly(thread);
      await prepare(clientOn(async () => thread));
      for (const channel of listeners.keys()) await thread.request({ kind: "listen", channel });
    } catch (error) {
      thread.end(errorMessage(error));
      await thread.ended;
      throw disk.isLow() ? disk.toError(error) : error;
    }
    thread.ended.then((error) => {
      opening = undefined;
      if (isClosing) return;
      isLost = true;
      onError(error);
      for (const listener of listeners.values()) listener.lost(error);
      current().catch(onError);
    });
    if (isLost) for (const listener of listeners.values()) listener.restored();
    isLost = false;
    return thread;
  };
  /** The current thread, or a new one if it has ended. */
  const current = (): Promise<Thread> => {
    if (isClosing) return Promise.reject(new Error("The database is closed."));
    if (failed && performance.now() - failed.at < retryAfterMs) return Promise.reject(failed.error);
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      failed = { error, at: performance.now() };
      throw error;
    });
    return opening;
  };
  /** Replaces the error of a write that we refused because of the full disk with our own. */
  const explain = (error: unknown): never => {
    const isRefused = error instanceof Error && "code" in error && error.code === readOnlyCode;
    throw isRefused && disk.isLow() ? disk.toError(error) : error;
  };
  const clientOn = (thread: () => Promise<Thread>): PgliteClient => ({
    query: async (text, params, options) =>
      query<never>(await thread(), null, text, params, options).catch(explain),
    exec: async (text) =>
      (await thread()).request<Row>({ kind: "exec", transaction: null, text }).catch(explain),
    async transaction(work) {
      const session = await thread();
      // Not awaited: the first query follows immediately, and fails if this fails.
      const transaction = session.begin();
      try {
        const result = await work({
          query: (text, params, options) =>
            query<never>(session, transaction, text, params, options).catch(explain),
          exec: (text) => session.request<Row>({ kind: "exec", transaction, text }).catch(explain),
        });
        await session.request({ kind: "commit", transaction });
        return result;
      } catch (error) {
        // There is nothing to roll back after a failed commit, or if the thread has ended.
        await session.request({ kind: "rollback", transaction }).catch(() => {});
        throw error;
      }
    },
    async listen(channel, listener) {
      listeners.set(channel, listener);
      // If the disk is full and the database cannot be opened now, it listens when it is opened.
      await thread().then(
        (opened) => opened.request({ kind: "listen", channel }),
        (error) => {
          if (!findDiskFull(error)) throw error;
        },
      );
      return async () => {
        listeners.delete(channel);
        await (await thread()).request({ kind: "unlisten", channel });
      };
    },
    async setReadOnly(value) {
      isReadOnly = value;
      await updateReadOnly(await thread());
    },
    async close() {
      isClosing = true;
      clearInterval(checking);
      const opened = await opening?.catch(() => undefined);
      if (!opened) return;
      await opened.request({ kind: "close" });
      await opened.ended;
    },
  });

  const client = clientOn(current);
  let checks = 0;
  const check = async () => {
    await disk.check();
    checks += 1;
    if (isClosing) return;
    if (checks * checkEveryMs >= reserveAfterMs) await disk.ensureReserve();
    const silentMs = (running?.countSilentChecks() ?? 0) * checkEveryMs;
    const normalMs = running?.isReady() ? hangTimeoutMs.normal : openTimeoutMs;
    const maxMs = disk.isLow() ? hangTimeoutMs.onFullDisk : normalMs;
    if (silentMs >= maxMs) running?.end(`it did not respond for ${maxMs / 1_000} seconds`);
    // Not awaited: the next check has to run even if the thread does not respond.
    else
      current()
        .then(updateReadOnly)
        .catch(() => {});
    if ((checks * checkEveryMs) % maintainEveryMs === 0 && !isReadOnly && !disk.isLow())
      maintain(client).catch(onError);
  };
  const checking = setInterval(check, checkEveryMs).unref();

  await current().catch((error: Error) => {
    isLost = true;
    // The site works without the database, which is opened as soon as there is space.
    if (findDiskFull(error)) return onError(error);
    isClosing = true;
    clearInterval(checking);
    throw error;
  });
  return client;
}

/** PGlite has only one session, so the session's default applies to all transactions. */
export const readOnlyText = (isReadOnly: boolean) =>
  `set default_transaction_read_only to ${isReadOnly ? "on" : "off"}`;

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function query<T>(
  thread: Thread,
  transaction: number | null,
  text: string,
  params: unknown[] = [],
  { rowMode = "object", parsers = {} }: QueryOptions = {},
): Promise<Results<T>> {
  const transfer: ArrayBuffer[] = [];
  // The caller keeps its bytes, so a copy is transferred.
  const copied = params.map((param) => {
    if (!(param instanceof Uint8Array)) return param;
    const copy = new Uint8Array(param);
    transfer.push(copy.buffer);
    return copy;
  });
  const asText = Object.keys(parsers).map(Number);
  const request = { kind: "query" as const, transaction, text, params: copied, rowMode, asText };
  const [result] = await thread.request<T>(request, transfer);
  if (!result) throw new Error("The database returned no result.");
  return parseColumns(result, rowMode, parsers);
}

/**
 * Parsers are functions and cannot be sent to the thread. So values with a parser of the caller
 * arrive as text and are parsed here.
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

type RequestWithoutId<R = Request> = R extends Request ? Omit<R, "id"> : never;

type Thread = {
  request<T>(message: RequestWithoutId, transfer?: ArrayBuffer[]): Promise<Results<T>[]>;
  /** Begins a transaction after all earlier requests, and returns its number. */
  begin(): number;
  ready: Promise<void>;
  isReady(): boolean;
  /** How many times in a row this was called while requests were open and no reply arrived. */
  countSilentChecks(): number;
  /** Terminates the thread immediately. */
  end(reason: string): void;
  /** Resolves with the reason when the thread has ended. */
  ended: Promise<Error>;
};

function startThread(
  workerData: ThreadData,
  onNotice: (channel: string, payload: string) => void,
): Thread {
  const worker = new Worker(resolve(workerFile), {
    name: "database",
    workerData,
    // Results are short-lived. Without this limit V8 would use up to 48 MB for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const open = new Map<
    number,
    { resolve(results: Results<never>[]): void; reject(error: Error): void }
  >();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let requestCount = 0;
  let silentChecks = 0;
  let reason: string | undefined;
  let cause: unknown;
  let gone: Error | undefined;

  worker.on("message", (reply: Reply) => {
    silentChecks = 0;
    switch (reply.kind) {
      case "ready":
        isReady = true;
        return ready.resolve();
      case "notice":
        return onNotice(reply.channel, reply.payload);
      case "broken":
        reason = reply.reason;
        return;
      case "done":
        open.get(reply.id)?.resolve(reply.results as Results<never>[]);
        break;
      case "failed":
        open.get(reply.id)?.reject(Object.assign(new Error(), reply.error));
    }
    open.delete(reply.id);
  });
  worker.on("error", (error) => {
    cause = error;
    ready.reject(error);
  });
  const ended = new Promise<Error>((resolve) => {
    worker.on("exit", (code) => {
      const why = reason ?? (cause instanceof Error ? cause.message : `exit code ${code}`);
      gone = new ThreadEndedError(`The database thread has ended: ${why}`, { cause });
      ready.reject(gone);
      for (const { reject } of open.values()) reject(gone);
      open.clear();
      resolve(gone);
    });
  });
  const request = (message: RequestWithoutId, transfer: ArrayBuffer[] = []) => {
    requestCount += 1;
    const id = requestCount;
    return new Promise<Results<never>[]>((resolve, reject) => {
      if (gone) return reject(gone);
      worker.postMessage({ ...message, id }, transfer);
      open.set(id, { resolve, reject });
    });
  };
  return {
    request,
    begin() {
      // If this fails, the first query of the transaction fails with the same error.
      request({ kind: "begin" }).catch(() => {});
      return requestCount;
    },
    ready: ready.promise,
    isReady: () => isReady,
    // Counts checks instead of time: after the machine was asleep, a reply may have arrived that
    // has not been processed yet.
    countSilentChecks() {
      silentChecks = isReady && open.size === 0 ? 0 : silentChecks + 1;
      return silentChecks;
    },
    end(why) {
      reason ??= why;
      worker.terminate();
    },
    ended,
  };
}
