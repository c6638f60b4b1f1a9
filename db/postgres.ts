import { setTimeout as pause } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { lockTables } from "./backup/dump.ts";
import type { OpenDatabase, Session } from "./database.ts";
import { migratePostgres } from "./migrate.ts";
import { connectionSettings, longTimeoutMs, requestTimeoutMs } from "./postgres-connection.ts";
import { listenOnPostgres } from "./purge.ts";

/**
 * The job queue creates and maintains its tables at the start, and nodes that start together wait
 * for each other.
 */
const queueTimeoutMs = 60_000;

/** How long idle connections have to say goodbye to a server that may not answer. */
const closeTimeoutMs = 2_000;

export async function openPostgres(
  url: string,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  await migratePostgres(url, onError);
  const requests = new pg.Pool({ ...connectionSettings(url, requestTimeoutMs), max: 10 });
  const queue = new pg.Pool({ ...connectionSettings(url, queueTimeoutMs), max: 2 });
  // Without a handler a connection that the server ends is an uncaught exception.
  for (const pool of [requests, queue]) pool.on("error", onError);
  return {
    kind: "postgres",
    db: drizzleOn(requests),
    async executeSql(text, values) {
      const results = await queue.query(text, values);
      return {
        rows: Array.isArray(results) ? results.flatMap((result) => result.rows) : results.rows,
      };
    },
    listen: (listener) => listenOnPostgres(url, listener),
    async withoutWriters(work) {
      const session = await openSession(url, onError);
      try {
        return await session.db.transaction(async (tx) => {
          await lockTables(tx);
          return work(tx);
        });
      } finally {
        await session.close();
      }
    },
    // Postgres keeps the rows of a transaction's snapshot itself.
    takeSnapshot: async () => ({ source: { kind: "postgres", url }, async remove() {} }),
    async close() {
      const ended = Promise.all([requests.end(), queue.end()]);
      await Promise.race([ended, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Drizzle on a pool, with transactions of our own: Drizzle's never return a connection whose
 * `begin` fails, and send a rollback behind a statement that has timed out, which takes as long
 * again.
 */
function drizzleOn(pool: pg.Pool) {
  const db = drizzle({ client: pool });
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let isReleased = false;
    const release = (error?: Error) => {
      if (isReleased) return;
      isReleased = true;
      client.release(error);
    };
    const guarded: pg.PoolClient = Object.create(client, {
      query: {
        async value(query: pg.QueryConfig, values?: unknown[]) {
          try {
            return await client.query(query, values);
          } catch (error) {
            // Anything else than a refusal by Postgres leaves the connection in a state that nobody
            // knows: it is closed.
            if (error instanceof Error && !(error instanceof pg.DatabaseError)) release(error);
            throw error;
          }
        },
      },
    });
    try {
      return await drizzle({ client: guarded }).transaction(work, config);
    } finally {
      release();
    }
  };
  return db;
}

/** One connection for work that takes minutes. */
export async function openSession(url: string, onError: (error: Error) => void): Promise<Session> {
  const client = new pg.Client(connectionSettings(url, longTimeoutMs));
  client.on("error", onError);
  await client.connect();
  return { db: drizzle({ client }), close: () => client.end() };
}
