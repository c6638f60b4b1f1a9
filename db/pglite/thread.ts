import { dirname, join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { QueryOptions, Results } from "@electric-sql/pglite";
import type { ChannelListener, PgliteClient } from "./client.ts";
import { findDiskFull, openingBytes, watchDiskSpace } from "./disk-space.ts";
import { maintain } from "./maintenance.ts";
import type { Reply, Request, ThreadData } from "./worker.ts";

/**
 * Resolved from the folder the server is started in, like db/migrations: once bundled, this file is
 * elsewhere.
 */
const workerFile = join("db", "pglite", "worker.ts");

/**
 * A database that cannot be opened, for example because the disk is full, is not opened for every
 * query again.
 */
const retryAfterMs = 1_000;

/** What Postgres says to a write in a transaction that may only read. */
const readOnlyCode = "25006";

type Row = Record<string, unknown>;

/**
 * The thread has ended and taken the statements with it that it had not answered. Committed ones
 * are on disk.
 */
class ThreadEndedError extends Error {
  override name = "DatabaseThreadEnded";
}

type Options = {
  folder: string;
  onError(error: Error): void;
  /**
   * Whatever has to be done after each opening, before other queries: it brings the tables up to
   * date.
   */
  prepare?: (client: PgliteClient) => Promise<void>;
  hangTimeoutMs?: typeof defaultHangTimeoutMs;
};

/** How often the disk and the thread are looked at. */
const checkEveryMs = 500;
/** The reserve on the disk is for a server that runs for a long time, not for commands. */
const reserveAfterMs = 60_000;
const maintainEveryMs = 60_000;
/**
 * A thread that gives no answer for this long has stopped working, and is ended. On a full disk it
 * may loop for ever; otherwise it may have a long statement, such as that of a migration.
 */
const defaultHangTimeoutMs = { onFullDisk: 10_000, usual: 600_000 };
/**
 * Opening includes recovery after a crash, which reads the whole log and writes to all tables in
 * it.
 */
const openTimeoutMs = 600_000;

/**
 * Runs PGlite in a thread of its own, so that no query keeps a reader waiting who does not need the
 * database. When the thread ends unexpectedly, its open queries and transactions fail, and a new
 * thread opens the database again. While the disk is nearly full, the database only reads.
 */
export async function openPgliteThread({
  folder,
  onError,
  prepare = async () => {},
  hangTimeoutMs: standstillMs = defaultHangTimeoutMs,
}: Options): Promise<PgliteClient> {
  const listeners = new Map<string, ChannelListener>();
  const disk = watchDiskSpace(dirname(folder));
  const readOnly = new WeakSet<Thread>();
  let isReadOnly = false;
  let isClosing = false;
  let isLost = false;
  let failed: { error: unknown; at: number } | undefined;
  let opening: Promise<Thread> | undefined;
  /** Also while it is being opened. */
  let running: Thread | undefined;

  /** Postgres itself knows best which statements write. */
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
  /** The thread as it is, or a new one. */
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
  /** What Postgres refuses only because we have forbidden it, is refused with our reason. */
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
      // Not waited for: the first query follows at once, and fails if this one does.
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
        // After a failed commit there is nothing to roll back, and in a thread that has ended
        // neither.
        await session.request({ kind: "rollback", transaction }).catch(() => {});
        throw error;
      }
    },
    async listen(channel, listener) {
      listeners.set(channel, listener);
      // A database that cannot be opened for lack of space listens when it is opened.
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
    async setReadOnly(wanted) {
      isReadOnly = wanted;
      await updateReadOnly(await thread());
    },
    async close() {
      isClosing = true;
      clearInterval(looking);
      const opened = await opening?.catch(() => undefined);
      if (!opened) return;
      await opened.request({ kind: "close" });
      await opened.ended;
    },
  });

  const client = clientOn(current);
  let looks = 0;
  const look = async () => {
    await disk.check();
    looks += 1;
    if (isClosing) return;
    if (looks * checkEveryMs >= reserveAfterMs) await disk.ensureReserve();
    const waitedMs = (running?.countSilentChecks() ?? 0) * checkEveryMs;
    const usualMs = running?.isReady() ? standstillMs.usual : openTimeoutMs;
    const maxMs = disk.isLow() ? standstillMs.onFullDisk : usualMs;
    if (waitedMs >= maxMs) running?.end(`it gave no answer for ${maxMs / 1_000} seconds`);
    // Not waited for: the next look has to come even if the thread does not answer.
    else
      current()
        .then(updateReadOnly)
        .catch(() => {});
    if ((looks * checkEveryMs) % maintainEveryMs === 0 && !isReadOnly && !disk.isLow())
      maintain(client).catch(onError);
  };
  const looking = setInterval(look, checkEveryMs).unref();

  await current().catch((error: Error) => {
    isLost = true;
    // The site can be read without the database, which is opened as soon as there is room.
    if (findDiskFull(error)) return onError(error);
    isClosing = true;
    clearInterval(looking);
    throw error;
  });
  return client;
}

/** There is one session, so its default is the default for everybody. */
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
  // The caller keeps its bytes, so a copy of them is handed over.
  const copied = params.map((param) => {
    if (!(param instanceof Uint8Array)) return param;
    const copy = new Uint8Array(param);
    transfer.push(copy.buffer);
    return copy;
  });
  const asText = Object.keys(parsers).map(Number);
  const request = { kind: "query" as const, transaction, text, params: copied, rowMode, asText };
  const [result] = await thread.request<T>(request, transfer);
  if (!result) throw new Error("The database gave no result.");
  return parseColumns(result, rowMode, parsers);
}

/**
 * Functions cannot be sent to the thread, so values that the caller parses itself come as text and
 * are parsed here.
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
  request<T>(question: RequestWithoutId, transfer?: ArrayBuffer[]): Promise<Results<T>[]>;
  /** The number of a transaction that begins when the queries asked before it are done. */
  begin(): number;
  ready: Promise<void>;
  isReady(): boolean;
  /**
   * How many times in a row this was called while questions were open and no answer to any of them
   * had come.
   */
  countSilentChecks(): number;
  /** Ends it at once, whatever it does. */
  end(reason: string): void;
  /** Why it ended. */
  ended: Promise<Error>;
};

function startThread(
  workerData: ThreadData,
  hear: (channel: string, payload: string) => void,
): Thread {
  const worker = new Worker(resolve(workerFile), {
    name: "database",
    workerData,
    // Results live briefly; without a limit V8 keeps up to 48 MB for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const open = new Map<
    number,
    { resolve(results: Results<never>[]): void; reject(error: Error): void }
  >();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let questions = 0;
  let still = 0;
  let reason: string | undefined;
  let cause: unknown;
  let gone: Error | undefined;

  worker.on("message", (reply: Reply) => {
    still = 0;
    switch (reply.kind) {
      case "ready":
        isReady = true;
        return ready.resolve();
      case "notice":
        return hear(reply.channel, reply.payload);
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
      gone = new ThreadEndedError(`The database's thread has ended: ${why}`, { cause });
      ready.reject(gone);
      for (const { reject } of open.values()) reject(gone);
      open.clear();
      resolve(gone);
    });
  });
  const ask = (question: RequestWithoutId, transfer: ArrayBuffer[] = []) => {
    questions += 1;
    const id = questions;
    return new Promise<Results<never>[]>((resolve, reject) => {
      if (gone) return reject(gone);
      worker.postMessage({ ...question, id }, transfer);
      open.set(id, { resolve, reject });
    });
  };
  return {
    request: ask,
    begin() {
      // Its error is that of the first query in it.
      ask({ kind: "begin" }).catch(() => {});
      return questions;
    },
    ready: ready.promise,
    isReady: () => isReady,
    // Counted, not timed: after the machine has slept, the answer may already be here and unread.
    countSilentChecks() {
      still = isReady && open.size === 0 ? 0 : still + 1;
      return still;
    },
    end(why) {
      reason ??= why;
      worker.terminate();
    },
    ended,
  };
}
