import { customType } from "drizzle-orm/pg-core";

/** A column of raw bytes, such as an image. It works the same on PGlite and Postgres. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** The words of a row for full-text search. The database generates the column; we never read it. */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
