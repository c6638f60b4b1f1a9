import pg from "pg";

export const connectTimeoutMs = 3_000;
/**
 * The longest that a statement of a request may take. Even with the wait for a connection, a form
 * responds within ten seconds.
 */
export const requestTimeoutMs = 6_000;
/** The longest that a statement of a migration, backup or restore may take. */
export const longTimeoutMs = 30 * 60_000;

/**
 * The settings of a connection whose queries always end. Postgres cancels a statement that takes
 * too long. If Postgres does not respond at all, the client gives up half a second later.
 */
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
