import pg from "pg";

/**
 * A form has to respond within ten seconds, even if it waits for a connection and then for a
 * statement that times out.
 */
export const connectTimeoutMs = 3_000;
export const requestTimeoutMs = 6_000;
/** For migrations, backups and restores. */
export const longTimeoutMs = 30 * 60_000;

/**
 * Settings of a connection that never waits forever. Postgres cancels a statement that takes too
 * long; if Postgres does not respond at all, the client gives up half a second later.
 */
export const connectionSettings = (
  connectionString: string,
  statementMs: number,
): pg.ClientConfig => ({
  connectionString,
  connectionTimeoutMillis: connectTimeoutMs,
  statement_timeout: statementMs,
  query_timeout: statementMs + 500,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
});

// PGlite returns int8 and count(*) as numbers. This makes pg do the same.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
