/**
 * Tables and columns that a migration has renamed, so that a backup made before it can still be
 * restored.
 */
const tables: Record<string, string> = {
  blog_pictures: "blog_images",
  story_pictures: "story_images",
  digest_issues: "newsletter_issues",
  headline_sightings: "feed_items",
};

/** By the current name of the table. */
const columns: Record<string, Record<string, string>> = {
  blog_images: { link: "url" },
  feed_sources: { goodAt: "lastSuccessAt", nextTryAt: "nextAttemptAt" },
  calendar_sources: { goodAt: "lastSuccessAt", nextTryAt: "nextAttemptAt" },
};

export const currentTable = (name: string): string => tables[name] ?? name;

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
