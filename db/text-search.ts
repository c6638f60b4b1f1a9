import { customType } from "drizzle-orm/pg-core";

/**
 * The words of a row, made ready for searching. The database fills it in itself; nobody reads it
 * back.
 */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
