/**
 * Error codes of Postgres for missing or unreadable files, and for files that do not hold what they
 * should. They have a module of their own because every command needs them, and most commands do
 * not need Drizzle, which takes half a second of processor time to load.
 */
export const damageCodes = ["58P01", "58030", "XX001", "XX002"];
