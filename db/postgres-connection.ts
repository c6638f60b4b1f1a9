import pg from "pg";

/** How long to wait for a connection. */
export const connectTimeoutMs = 3_000;
/** For a statement of a request: with the wait for a connection, a form responds within 10 seconds. */
export const requestTimeoutMs = 6_000;
/** The longest that a statement of a migration, backup or restore may take. */
export const longTimeoutMs = 30 * 60_000;

/** Postgres cancels a statement that takes too long; half a second later, the client gives up. */
export const connectionSettings = (
  connectionString: string,
  statementTimeoutMs: number,
): pg.ClientConfig => ({
  connectionString,
  connectionTimeoutMillis: connectTimeoutMs,
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + 500,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
});

// PGlite returns int8 and count(*) as numbers. This line makes pg do the same.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
