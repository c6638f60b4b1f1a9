import { customType } from "drizzle-orm/pg-core";

/** A column of raw bytes, such as an image. It works the same on PGlite and Postgres. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
