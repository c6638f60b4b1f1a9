import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Database, PurgeListener } from "./database.ts";
import type { PgliteClient } from "./pglite/client.ts";
import { connectionSettings } from "./postgres-connection.ts";

const channel = "harborline_purge";

/** Stands for every page there is. */
export const everyPage = "*";

/** Postgres takes fewer than 8,000 bytes in one notice. */
const maxNoticeLength = 7_900;

/**
 * Tells every node which pages are outdated: those made of one of these tags. Part of the
 * transaction that changes the data, so the news goes out when the change is there to be read, and
 * not at all when it is taken back.
 */
export async function purge(tx: Pick<Database, "execute">, tags: Iterable<string>): Promise<void> {
  for (const notice of toNotices(tags))
    await tx.execute(sql`select pg_notify(${channel}, ${notice})`);
}

export function toNotices(tags: Iterable<string>): string[] {
  const all: string[] = [];
  for (const tag of new Set(tags)) {
    const last = all.at(-1);
    if (last !== undefined && Buffer.byteLength(`${last} ${tag}`) <= maxNoticeLength) {
      all[all.length - 1] = `${last} ${tag}`;
    } else all.push(tag);
  }
  return all;
}

type Stop = () => Promise<void>;

export const listenOnPglite = (
  client: PgliteClient,
  { purged, ...listener }: PurgeListener,
): Promise<Stop> =>
  client.listen(channel, { ...listener, received: (notice) => purged(notice.split(" ")) });

const firstWaitMs = 100;
const maxWaitMs = 5_000;
/**
 * A line that was cut without a word would be silent for ever; so now and then we ask whether it is
 * there.
 */
const pingEveryMs = 15_000;
const pingTimeoutMs = 5_000;

/**
 * Keeps one connection open for notices, and opens it again, with growing pauses, however often it
 * breaks.
 */
export async function listenOnPostgres(url: string, listener: PurgeListener): Promise<Stop> {
  const stopping = new AbortController();
  let line = await openConnection(url, listener);

  const keepOpen = async () => {
    while (!stopping.signal.aborted) {
      const error = await line.broken;
      if (stopping.signal.aborted) return;
      listener.lost(error);
      line = await reopen();
      listener.restored();
    }
  };
  const reopen = async (): Promise<Connection> => {
    for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, maxWaitMs)) {
      await pause(wait, undefined, { signal: stopping.signal });
      const opened = await openConnection(url, listener).catch(() => null);
      if (opened) return opened;
    }
  };
  const keepingOpen = keepOpen().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });

  return async () => {
    stopping.abort();
    await line.close();
    await keepingOpen;
  };
}

type Connection = { broken: Promise<Error>; close(): Promise<void> };

async function openConnection(url: string, { purged }: PurgeListener): Promise<Connection> {
  const client = new pg.Client(connectionSettings(url, pingTimeoutMs));
  const broken = new Promise<Error>((resolve) => {
    // Without a handler a connection that the server ends is an uncaught exception.
    client.on("error", resolve);
    client.on("end", () => resolve(new Error("the connection was closed")));
    const asking = setInterval(() => client.query("select 1").catch(resolve), pingEveryMs).unref();
    client.on("end", () => clearInterval(asking));
  });
  client.on("notification", ({ payload }) => purged((payload ?? "").split(" ")));
  const close = () => client.end().catch(() => {});
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await close();
    throw error;
  }
  broken.then(close);
  return { broken, close };
}
