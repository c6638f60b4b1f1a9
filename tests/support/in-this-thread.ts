import type { PGlite } from "@electric-sql/pglite";
import type { PgliteClient } from "../../db/pglite/client.ts";
import { setReadOnlySql } from "../../db/pglite/thread.ts";

/**
 * Wraps a PGlite that runs in the current thread instead of a worker, because that opens faster.
 */
export const inThisThread = (client: PGlite): PgliteClient => ({
  query: (text, params, options) => client.query(text, params, options),
  exec: (text) => client.exec(text),
  transaction: (work) => client.transaction(work),
  listen: (channel, { onNotification }) => client.listen(channel, onNotification),
  async setReadOnly(isReadOnly) {
    await client.exec(setReadOnlySql(isReadOnly));
  },
  close: () => client.close(),
});
