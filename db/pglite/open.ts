import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";

/**
 * The parameters with which PGlite starts Postgres. PGlite's own include -F (no fsync), which is
 * removed, because an acknowledged write must survive a power failure. By default Postgres would
 * take 128 MB of memory for shared buffers, which a city's tables do not need. Postgres recycles
 * old files of the write-ahead log up to `min_wal_size`; see db/pglite/maintenance.ts.
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

/**
 * PGlite's own conversion handles one byte at a time, which takes half a second for an image of 1
 * MB.
 */
const fastBytes = {
  parsers: { [types.BYTEA]: parseBytes },
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}` },
};

/**
 * Parses Postgres's text format of bytes. The result has its own buffer, not a part of Node's
 * shared one, so that a thread can transfer it.
 */
export function parseBytes(hex: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow((hex.length - 2) / 2);
  bytes.write(hex.slice(2), "hex");
  return bytes;
}

export const createPglite = (options: PGliteOptions = {}): Promise<PGlite> =>
  PGlite.create({ ...fastBytes, ...options, extensions: { pg_trgm, unaccent } });
