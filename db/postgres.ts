import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { lockTables } from "./backup/dump.ts";
import { createStatementCount, type OpenDatabase, type Session } from "./database.ts";
import { migratePostgres } from "./migrate.ts";
import { connectionSettings, longTimeoutMs, requestTimeoutMs } from "./postgres-connection.ts";
import { listenOnPostgres } from "./purge.ts";

/**
 * The longest that a statement of the job queue may take. When nodes start, the queue creates or
 * migrates its tables, and the nodes wait for each other.
 */
const queueTimeoutMs = 60_000;

/** How long closing the connections may take if the server does not respond. */
const closeTimeoutMs = 2_000;

export async function openPostgres(
  url: string,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  await migratePostgres(url, onError);
  const requests = new pg.Pool({ ...connectionSettings(url, requestTimeoutMs), max: 10 });
  const queue = new pg.Pool({ ...connectionSettings(url, queueTimeoutMs), max: 2 });
  // Without a handler, a connection that the server closes would be an uncaught exception.
  for (const pool of [requests, queue]) pool.on("error", onError);
  const statements = createStatementCount();
  return {
    kind: "postgres",
    db: drizzleOn(requests, statements),
    countStatements: statements.read,
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
    // In Postgres a transaction is itself a snapshot, so no copy is needed.
    takeSnapshot: async () => ({ source: { kind: "postgres", url }, async remove() {} }),
    async close() {
      const ended = Promise.all([requests.end(), queue.end()]);
      await Promise.race([ended, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Creates a Drizzle database with our own `transaction`. Drizzle's version never releases a
 * connection whose `begin` failed, and after a statement that timed out it sends a rollback, which
 * times out too.
 */
function drizzleOn(pool: pg.Pool, logger: Logger) {
  const db = drizzle({ client: pool, logger });
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    let failure: Error | undefined;
    /** Closes the connection. All further statements of the transaction fail with this error. */
    const fail = (error: Error) => {
      if (failure) return;
      failure = error;
      client.release(error);
    };
    // The pool handles only the errors of idle connections. Without this handler, a connection that
    // Postgres closes during a transaction would be an uncaught exception, which ends the process.
    client.on("error", fail);
    const guarded: pg.PoolClient = Object.create(client, {
      query: {
        async value(query: pg.QueryConfig, values?: unknown[]) {
          if (failure) throw failure;
          try {
            return await client.query(query, values);
          } catch (error) {
            // After any error that is not a response of Postgres, the state of the connection is
            // unknown, so it is closed.
            if (error instanceof Error && !(error instanceof pg.DatabaseError)) fail(error);
            throw error;
          }
        },
      },
    });
    try {
      return await drizzle({ client: guarded, logger }).transaction(work, config);
    } finally {
      if (!failure) {
        client.off("error", fail);
        client.release();
      }
    }
  };
  return db;
}

/** Opens a single connection for work that takes minutes. */
export async function openSession(url: string, onError: (error: Error) => void): Promise<Session> {
  const client = new pg.Client(connectionSettings(url, longTimeoutMs));
  client.on("error", onError);
  await client.connect();
  return { db: drizzle({ client }), close: () => client.end() };
}
