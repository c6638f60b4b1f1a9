import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./database.ts";
import { orIfUnavailable } from "./failures.ts";
import { everyTag } from "./purge.ts";

/**
 * Data that many pages show. It is read from the database once and then kept in memory until one of
 * its tags is purged. Values must not be changed, because what is derived from a value is
 * remembered as long as the value is the same object.
 */
export type SharedRead<Value> = {
  /**
   * Different data has different names. There must be only as many names as memory has room for.
   */
  name: string;
  tags: readonly string[];
  load(db: Database): Promise<Value>;
};

type Entry = {
  tags: readonly string[];
  /** Undefined until the first load has succeeded. */
  last?: { value: unknown; loadedAt: number } | undefined;
  /** Whether nothing was purged since `last` was loaded. */
  isCurrent: boolean;
  /**
   * After a load that failed or takes long, the next load begins at this time, and readers do not
   * wait for it. Otherwise 0.
   */
  retryAt: number;
  isErrorReported: boolean;
  loading?: Promise<unknown> | undefined;
  /** What readers get: the result of `loading`, or the last value if that takes too long. */
  result?: Promise<unknown> | undefined;
};

type Options = {
  now(): number;
  /** Called for the first of several failures in a row, while readers get the last value. */
  onError(name: string, error: unknown): void;
};

/** How long readers wait for new data. After that, they get the last value. */
const loadTimeoutMs = 3_000;
/** How soon the database is asked again after a failure. */
const retryMs = 5_000;
/**
 * Deletions of old data do not purge anything, so a value that is older than this is refreshed in
 * the background.
 */
const refreshAfterMs = 10 * 60_000;

const caches = new WeakMap<Database, ReturnType<typeof openSharedReads>>();

/**
 * Reads shared data: from memory in a server, and from the database elsewhere and in a transaction.
 */
export async function readShared<Value>(db: Database, read: SharedRead<Value>): Promise<Value> {
  const cache = caches.get(db);
  // The type is right: everything that is read under one name has the same type.
  return cache ? ((await cache.read(read)) as Value) : read.load(db);
}

/**
 * If the database has been unavailable since the server started, returns the fallback, and the page
 * that shows it is rendered again soon.
 */
export const readSharedOr = <Value>(
  db: Database,
  read: SharedRead<Value>,
  fallback: Value,
): Promise<Value> => orIfUnavailable(readShared(db, read), fallback);

/**
 * How long a page with these tags is fresh: only for a short time if the database failed to refresh
 * what the page shows. Infinity if nothing failed.
 */
export const findFreshMs = (db: Database, tags: ReadonlySet<string>): number =>
  caches.get(db)?.isOutdated(tags) ? retryMs : Number.POSITIVE_INFINITY;

/**
 * Caches the shared data of a database in memory. If the database fails or hangs, the last values
 * stay in use, so that pages can be rendered.
 */
export function openSharedReads(db: Database, { now, onError }: Options) {
  const entries = new Map<string, Entry>();
  /**
   * False while the connection for purges is lost. Then values can be outdated as soon as they are
   * loaded.
   */
  let receivesPurges = true;

  function startLoading(entry: Entry, { name, load }: SharedRead<unknown>): Promise<unknown> {
    const { last } = entry;
    const loading = load(db).then(
      (value) => {
        // After a purge, only a load that started later may replace the value.
        if (entry.loading === loading)
          Object.assign(entry, {
            last: { value, loadedAt: now() },
            isCurrent: receivesPurges,
            retryAt: 0,
            isErrorReported: false,
            loading: undefined,
          });
        return value;
      },
      (error: unknown) => {
        if (last && !entry.isErrorReported) {
          entry.isErrorReported = true;
          onError(name, error);
        }
        if (entry.loading === loading) {
          entry.retryAt = now() + retryMs;
          entry.loading = undefined;
        }
        if (!last) throw error;
        return last.value;
      },
    );
    const waitForTimeout = async (value: unknown) => {
      await pause(loadTimeoutMs, undefined, { ref: false });
      if (entry.loading === loading) entry.retryAt = now() + retryMs;
      return value;
    };
    const result = last ? Promise.race([loading, waitForTimeout(last.value)]) : loading;
    entry.loading = loading;
    entry.result = result;
    return result;
  }

  function invalidate(entry: Entry): void {
    entry.isCurrent = false;
    entry.retryAt = 0;
    // Later readers must not share a load that started before the change.
    entry.loading = undefined;
  }

  const cache = {
    read(read: SharedRead<unknown>): Promise<unknown> | unknown {
      let entry = entries.get(read.name);
      if (!entry) {
        entry = { tags: read.tags, isCurrent: false, retryAt: 0, isErrorReported: false };
        entries.set(read.name, entry);
      }
      const { last, isCurrent, retryAt, loading, result } = entry;
      if (!last || (!isCurrent && retryAt === 0))
        return loading ? result : startLoading(entry, read);
      const loadAt = retryAt > 0 ? retryAt : last.loadedAt + refreshAfterMs;
      if (!loading && now() >= loadAt) startLoading(entry, read);
      return last.value;
    },

    purge(tags: readonly string[]): void {
      for (const entry of entries.values())
        if (tags.includes(everyTag) || entry.tags.some((tag) => tags.includes(tag)))
          invalidate(entry);
    },

    /** Call it with false when the connection for purges is lost, and with true when it is back. */
    setReceivesPurges(receives: boolean): void {
      receivesPurges = receives;
      cache.purge([everyTag]);
    },

    /** Whether data with one of these tags could not be refreshed. */
    isOutdated: (tags: ReadonlySet<string>): boolean =>
      !receivesPurges ||
      entries
        .values()
        .some(({ retryAt, tags: own }) => retryAt > 0 && own.some((tag) => tags.has(tag))),
  };
  caches.set(db, cache);
  return cache;
}
