/**
 * Tables that a migration has renamed, by their old names. A backup that was made before the
 * migration contains the old names, and can still be restored.
 */
const tables: Record<string, string> = {
  blog_pictures: "blog_images",
  story_pictures: "story_images",
  digest_issues: "newsletter_issues",
  headline_sightings: "feed_items",
};

/** Renamed columns, by the current name of their table. */
const columns: Record<string, Record<string, string>> = {
  blog_images: { link: "url" },
  feed_sources: { goodAt: "lastSuccessAt", nextTryAt: "nextAttemptAt" },
  calendar_sources: { goodAt: "lastSuccessAt", nextTryAt: "nextAttemptAt" },
};

/** The current name of a table in a backup. */
export const currentTable = (name: string): string => tables[name] ?? name;

/** Describes a table of a backup with the current names of the table and of its columns. */
export const withCurrentNames = <Table extends { name: string; columns: string[] }>(
  table: Table,
): Table => {
  const name = currentTable(table.name);
  return {
    ...table,
    name,
    columns: table.columns.map((column) => columns[name]?.[column] ?? column),
  };
};
