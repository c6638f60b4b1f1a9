import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";
import { amcheck } from "@electric-sql/pglite/contrib/amcheck";
import { pageinspect } from "@electric-sql/pglite/contrib/pageinspect";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";

/**
 * PGlite starts Postgres with fsync off (-F); an acknowledged write must survive a power failure.
 * The 128 MB of shared buffers that Postgres asks for by default are memory of this process, and a
 * city's tables do not need them. Files of the log that are no longer needed are kept for later up
 * to `min_wal_size`; see db/pglite/maintenance.ts.
 */
export const durableStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "shared_buffers=16MB",
  "-c",
  "min_wal_size=32MB",
  "-c",
  "max_wal_size=64MB",
];

/** PGlite converts bytes one number at a time, which takes half a second for an image of 1 MB. */
const fastBytes = {
  parsers: { [types.BYTEA]: readBytes },
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}` },
};

/**
 * The bytes have a buffer of their own, not a piece of Node's shared one, so that a thread can hand
 * it over.
 */
export function readBytes(hex: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow((hex.length - 2) / 2);
  bytes.write(hex.slice(2), "hex");
  return bytes;
}

/**
 * With the two extensions of search, which Postgres itself has already, and those of db/damage.ts.
 */
export const createPglite = (options: PGliteOptions = {}): Promise<PGlite> =>
  PGlite.create({
    ...fastBytes,
    ...options,
    extensions: { pg_trgm, unaccent, amcheck, pageinspect },
  });
