import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";

/**
 * PGlite's default parameters include -F (no fsync), which is removed, because an acknowledged write
 * must survive a power failure. By default Postgres would take 128 MB of memory for shared buffers. It
 * recycles files of the write-ahead log up to `min_wal_size`; see maintenance.ts.
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

/** PGlite's own conversion takes half a second for an image of 1 MB. */
const fastBytes = {
  parsers: { [types.BYTEA]: parseBytes },
  serializers: { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}` },
};

/** The result has its own buffer, not a part of Node's shared one, so that a thread can transfer it. */
export function parseBytes(hex: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow((hex.length - 2) / 2);
  bytes.write(hex.slice(2), "hex");
  return bytes;
}

/** Opens PGlite with the two extensions that search needs. */
export const createPglite = (options: PGliteOptions = {}): Promise<PGlite> =>
  PGlite.create({ ...fastBytes, ...options, extensions: { pg_trgm, unaccent } });
