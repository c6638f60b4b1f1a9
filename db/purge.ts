import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Database, PurgeListener } from "./database.ts";
import type { PgliteClient } from "./pglite/client.ts";
import { connectionSettings } from "./postgres-connection.ts";

const channel = "harborline_purge";

export const everyTag = "*";

/** Postgres accepts fewer than 8,000 bytes per notification. */
const maxNotificationBytes = 7_900;

/**
 * Tells every node that the pages with one of these tags are outdated. The notification is part of
 * the transaction that changes the data, so it is sent when the change becomes visible, and not at
 * all if the transaction is rolled back.
 */
export async function sendPurge(
  tx: Pick<Database, "execute">,
  tags: Iterable<string>,
): Promise<void> {
  for (const notification of toNotifications(tags))
    await tx.execute(sql`select pg_notify(${channel}, ${notification})`);
}

/** Combines tags into as few notifications as possible, because their length is limited. */
function toNotifications(tags: Iterable<string>): string[] {
  const notifications: string[] = [];
  for (const tag of new Set(tags)) {
    const last = notifications.at(-1);
    if (last !== undefined && Buffer.byteLength(`${last} ${tag}`) <= maxNotificationBytes) {
      notifications[notifications.length - 1] = `${last} ${tag}`;
    } else notifications.push(tag);
  }
  return notifications;
}

type StopListening = () => Promise<void>;

export const listenOnPglite = (
  client: PgliteClient,
  { onPurge, ...listener }: PurgeListener,
): Promise<StopListening> =>
  client.listen(channel, {
    ...listener,
    onNotification: (notification) => onPurge(notification.split(" ")),
  });

const firstWaitMs = 100;
const maxWaitMs = 5_000;
/** A connection can break without an error, so it is tested regularly. */
const pingEveryMs = 15_000;
const pingTimeoutMs = 5_000;

/** Keeps a connection open for notifications, and reconnects with backoff whenever it breaks. */
export async function listenOnPostgres(
  url: string,
  listener: PurgeListener,
): Promise<StopListening> {
  const stopping = new AbortController();
  let connection = await openConnection(url, listener);

  const keepOpen = async () => {
    while (!stopping.signal.aborted) {
      const error = await connection.broken;
      if (stopping.signal.aborted) return;
      listener.onLost(error);
      connection = await reopen();
      listener.onRestored();
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
    await connection.close();
    await keepingOpen;
  };
}

type Connection = { broken: Promise<Error>; close(): Promise<void> };

async function openConnection(url: string, { onPurge }: PurgeListener): Promise<Connection> {
  const client = new pg.Client(connectionSettings(url, pingTimeoutMs));
  const broken = new Promise<Error>((resolve) => {
    // Without a handler, a connection that the server closes would be an uncaught exception.
    client.on("error", resolve);
    client.on("end", () => resolve(new Error("the connection was closed")));
    const pingTimer = setInterval(
      () => client.query("select 1").catch(resolve),
      pingEveryMs,
    ).unref();
    client.on("end", () => clearInterval(pingTimer));
  });
  client.on("notification", ({ payload }) => onPurge((payload ?? "").split(" ")));
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
