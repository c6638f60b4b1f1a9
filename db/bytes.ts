import { customType } from "drizzle-orm/pg-core";

/** A column of raw bytes, such as a picture; alike on PGlite and Postgres. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
