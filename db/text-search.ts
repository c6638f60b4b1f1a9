import { customType } from "drizzle-orm/pg-core";

/**
 * The words of a row, prepared for full-text search. The database generates the column, and we
 * never read it.
 */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
