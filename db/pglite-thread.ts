import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { QueryOptions, Results } from "@electric-sql/pglite";
import type { Reply, Request, ThreadData } from "./pglite-worker.ts";

/** Resolved from the folder the server is started in, like db/migrations: once bundled, this file is elsewhere. */
const workerFile = join("db", "pglite-worker.ts");

/** A database that cannot be opened, for example because the disk is full, is not opened for every query again. */
const retryAfterMs = 1_000;

type Queries = {
  query<T>(text: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>>;
  exec(text: string): Promise<Results[]>;
};

/** What hears the notices of a channel. Notices that are sent between `lost` and `restored` do not arrive. */
export type ChannelListener = {
  heard(payload: string): void;
  lost(error: Error): void;
  restored(): void;
};

/** The functions of PGlite that Drizzle and we use. */
export type PgliteClient = Queries & {
  /** All other queries wait until the work is done and committed or rolled back. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  /** Refuses all writing but that of transactions which begin with "set transaction read write". */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  close(): Promise<void>;
};

/** The thread has ended and taken the statements with it that it had not answered. Committed ones are on disk. */
class ThreadEndedError extends Error {
  override name = "DatabaseThreadEnded";
}

type Options = { folder: string; onError(error: Error): void };

/**
 * Runs PGlite in a thread of its own, so that no query keeps a reader waiting who does not need the database. When the
 * thread ends unexpectedly, its open queries and transactions fail, and a new thread opens the database again.
 */
export async function openPgliteThread({ folder, onError }: Options): Promise<PgliteClient> {
  const listeners = new Map<string, ChannelListener>();
  let isReadOnly = false;
  let isClosing = false;
  let failed: { error: unknown; at: number } | undefined;
  let opening: Promise<Thread> | undefined;

  const open = async (): Promise<Thread> => {
    const thread = await startThread({ folder }, (channel, payload) =>
      listeners.get(channel)?.heard(payload),
    );
    for (const channel of listeners.keys()) await thread.ask({ kind: "listen", channel });
    if (isReadOnly) await thread.ask(readOnly(true));
    thread.ended.then((error) => {
      opening = undefined;
      if (isClosing) return;
      onError(error);
      for (const listener of listeners.values()) listener.lost(error);
      reopen().catch(onError);
    });
    return thread;
  };
  const reopen = async () => {
    await current();
    for (const listener of listeners.values()) listener.restored();
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
  await current();

  return {
    query: async (text, params, options) => query(await current(), null, text, params, options),
    exec: async (text) => (await current()).ask({ kind: "exec", transaction: null, text }),
    async transaction(work) {
      const thread = await current();
      // Not waited for: the first query follows at once, and fails if this one does.
      const transaction = thread.begin();
      try {
        const result = await work({
          query: (text, params, options) => query(thread, transaction, text, params, options),
          exec: (text) => thread.ask({ kind: "exec", transaction, text }),
        });
        await thread.ask({ kind: "commit", transaction });
        return result;
      } catch (error) {
        // After a failed commit there is nothing to roll back, and in a thread that has ended neither.
        await thread.ask({ kind: "rollback", transaction }).catch(() => {});
        throw error;
      }
    },
    async listen(channel, listener) {
      listeners.set(channel, listener);
      await (await current()).ask({ kind: "listen", channel });
      return async () => {
        listeners.delete(channel);
        await (await current()).ask({ kind: "unlisten", channel });
      };
    },
    async setReadOnly(wanted) {
      isReadOnly = wanted;
      await (await current()).ask(readOnly(wanted));
    },
    async close() {
      const thread = await opening?.catch(() => undefined);
      isClosing = true;
      if (!thread) return;
      await thread.ask({ kind: "close" });
      await thread.ended;
    },
  };
}

/** There is one session, so its default is the default for everybody. */
export const readOnlyText = (isReadOnly: boolean) =>
  `set default_transaction_read_only to ${isReadOnly ? "on" : "off"}`;

const readOnly = (isReadOnly: boolean) => ({
  kind: "exec" as const,
  transaction: null,
  text: readOnlyText(isReadOnly),
});

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
  const [result] = await thread.ask<T>(request, transfer);
  if (!result) throw new Error("The database gave no result.");
  return parseColumns(result, rowMode, parsers);
}

/** Functions cannot be sent to the thread, so values that the caller parses itself come as text and are parsed here. */
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

type Question<R = Request> = R extends Request ? Omit<R, "id"> : never;

type Thread = {
  ask<T>(question: Question, transfer?: ArrayBuffer[]): Promise<Results<T>[]>;
  /** The number of a transaction that begins when the queries asked before it are done. */
  begin(): number;
  /** Why it ended. */
  ended: Promise<Error>;
};

async function startThread(
  workerData: ThreadData,
  hear: (channel: string, payload: string) => void,
): Promise<Thread> {
  const worker = new Worker(resolve(workerFile), {
    name: "database",
    workerData,
    // Results live briefly; without a limit V8 keeps up to 48 MB for them.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const open = new Map<number, { resolve(results: Results<never>[]): void; reject(error: Error): void }>();
  const ready = Promise.withResolvers<void>();
  let questions = 0;
  let cause: unknown;
  let gone: Error | undefined;

  worker.on("message", (reply: Reply) => {
    switch (reply.kind) {
      case "ready":
        return ready.resolve();
      case "notice":
        return hear(reply.channel, reply.payload);
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
      const reason = cause instanceof Error ? cause.message : `exit code ${code}`;
      gone = new ThreadEndedError(`The database's thread has ended: ${reason}`, { cause });
      ready.reject(gone);
      for (const { reject } of open.values()) reject(gone);
      open.clear();
      resolve(gone);
    });
  });
  const ask = (question: Question, transfer: ArrayBuffer[] = []) => {
    questions += 1;
    const id = questions;
    return new Promise<Results<never>[]>((resolve, reject) => {
      if (gone) return reject(gone);
      worker.postMessage({ ...question, id }, transfer);
      open.set(id, { resolve, reject });
    });
  };
  await ready.promise;
  return {
    ask,
    begin() {
      // Its error is that of the first query in it.
      ask({ kind: "begin" }).catch(() => {});
      return questions;
    },
    ended,
  };
}
