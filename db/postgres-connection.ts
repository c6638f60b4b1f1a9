import pg from "pg";

/**
 * A form answers within ten seconds, and waits for a connection and for one statement that fails.
 */
export const connectTimeoutMs = 3_000;
export const requestTimeoutMs = 6_000;
/** Migrations, backups and restores. */
export const longTimeoutMs = 30 * 60_000;

/**
 * Settings of a connection that does not wait for ever. Postgres ends a statement that takes too
 * long; when Postgres says nothing at all, we give up half a second later.
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

// PGlite gives int8 and count(*) as numbers; so does pg from here on.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
