import { dirname } from "node:path";
import type { ChannelListener, PgliteClient } from "./client.ts";
import { findDiskFull, minBytesToOpen, watchDiskSpace } from "./disk-space.ts";
import { maintain } from "./maintenance.ts";
import { query, startThread, type Thread } from "./worker-thread.ts";

/**
 * After the database could not be opened, for example because the disk is full, queries fail
 * immediately for this long. After that, the next query tries to open it again.
 */
const retryAfterMs = 1_000;

/** The error code of Postgres for a write in a read-only transaction. */
const readOnlyCode = "25006";

type Row = Record<string, unknown>;

type Options = {
  folder: string;
  onError(error: Error): void;
  /** Runs after each opening and before other queries, to migrate the tables. */
  prepare?: (client: PgliteClient) => Promise<void>;
  hangTimeoutMs?: typeof defaultHangTimeoutMs;
};

/** How often the disk and the thread are checked. */
const checkEveryMs = 500;
const maintainEveryMs = 60_000;
/**
 * A thread that does not respond for this long is terminated. On a full disk it may loop forever,
 * so that timeout is short. Otherwise it may be running a long statement, such as a migration.
 */
const defaultHangTimeoutMs = { onFullDisk: 10_000, normal: 600_000 };
/** Opening includes recovery after a crash, which replays the whole write-ahead log. */
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
  const readOnlyThreads = new WeakSet<Thread>();
  let isReadOnly = false;
  let isClosing = false;
  let isLost = false;
  let lastFailure: { error: unknown; at: number } | undefined;
  let openingThread: Promise<Thread> | undefined;
  /** The current thread, even while it is still opening the database. */
  let latestThread: Thread | undefined;

  /**
   * Makes the session read-only or writable, so that Postgres itself decides which statements
   * write.
   */
  const updateReadOnly = async (thread: Thread) => {
    const shouldBeReadOnly = isReadOnly || disk.isLow();
    if (readOnlyThreads.has(thread) === shouldBeReadOnly) return;
    if (shouldBeReadOnly) readOnlyThreads.add(thread);
    else readOnlyThreads.delete(thread);
    await thread.request({
      kind: "exec",
      transaction: null,
      text: setReadOnlySql(shouldBeReadOnly),
    });
  };
  const openThread = async (): Promise<Thread> => {
    await disk.requireSpace(minBytesToOpen);
    const thread = startThread({ folder }, (channel, payload) =>
      listeners.get(channel)?.onNotification(payload),
    );
    latestThread = thread;
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
      openingThread = undefined;
      if (isClosing) return;
      isLost = true;
      onError(error);
      for (const listener of listeners.values()) listener.onLost(error);
      getThread().catch(onError);
    });
    if (isLost) for (const listener of listeners.values()) listener.onRestored();
    isLost = false;
    return thread;
  };
  const getThread = (): Promise<Thread> => {
    if (isClosing) return Promise.reject(new Error("The database is closed."));
    if (lastFailure && performance.now() - lastFailure.at < retryAfterMs)
      return Promise.reject(lastFailure.error);
    openingThread ??= openThread().catch((error: unknown) => {
      openingThread = undefined;
      lastFailure = { error, at: performance.now() };
      throw error;
    });
    return openingThread;
  };
  /** Throws the error, or our own error if a write was refused because the disk is full. */
  const throwExplained = (error: unknown): never => {
    const isRefused = error instanceof Error && "code" in error && error.code === readOnlyCode;
    throw isRefused && disk.isLow() ? disk.toError(error) : error;
  };
  const clientOn = (thread: () => Promise<Thread>): PgliteClient => ({
    query: async (text, params, options) =>
      query<never>(await thread(), null, text, params, options).catch(throwExplained),
    exec: async (text) =>
      (await thread())
        .request<Row>({ kind: "exec", transaction: null, text })
        .catch(throwExplained),
    async transaction(work) {
      const session = await thread();
      // Not awaited, because the first query follows immediately, and fails if the transaction
      // cannot begin.
      const transaction = session.begin();
      try {
        const result = await work({
          query: (text, params, options) =>
            query<never>(session, transaction, text, params, options).catch(throwExplained),
          exec: (text) =>
            session.request<Row>({ kind: "exec", transaction, text }).catch(throwExplained),
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
      // If the database cannot be opened because the disk is full, `openThread` sends this request
      // later.
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
      clearInterval(checkTimer);
      const opened = await openingThread?.catch(() => undefined);
      if (!opened) return;
      await opened.request({ kind: "close" });
      await opened.ended;
    },
  });

  const client = clientOn(getThread);
  let checks = 0;
  const check = async () => {
    await disk.check();
    checks += 1;
    if (isClosing) return;
    const silentMs = (latestThread?.countSilentChecks() ?? 0) * checkEveryMs;
    const normalMs = latestThread?.isReady() ? hangTimeoutMs.normal : openTimeoutMs;
    const maxMs = disk.isLow() ? hangTimeoutMs.onFullDisk : normalMs;
    if (silentMs >= maxMs) latestThread?.end(`it did not respond for ${maxMs / 1_000} seconds`);
    // Not awaited: the next check has to run even if the thread does not respond.
    else
      getThread()
        .then(updateReadOnly)
        .catch(() => {});
    if ((checks * checkEveryMs) % maintainEveryMs === 0 && !isReadOnly && !disk.isLow())
      maintain(client).catch(onError);
  };
  const checkTimer = setInterval(check, checkEveryMs).unref();

  await getThread().catch((error: Error) => {
    isLost = true;
    // The site works without the database, which is opened as soon as there is space.
    if (findDiskFull(error)) return onError(error);
    isClosing = true;
    clearInterval(checkTimer);
    throw error;
  });
  return client;
}

/**
 * The statement that makes all transactions read-only or writable. PGlite has only one session, so
 * a setting of the session is enough.
 */
export const setReadOnlySql = (isReadOnly: boolean) =>
  `set default_transaction_read_only to ${isReadOnly ? "on" : "off"}`;

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
