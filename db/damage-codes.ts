/**
 * Error codes of Postgres for missing, unreadable or damaged files. They are in a separate module,
 * because every command needs them, but most commands do not need Drizzle, which takes half a
 * second of processor time to load.
 */
export const damageCodes = ["58P01", "58030", "XX001", "XX002"];
