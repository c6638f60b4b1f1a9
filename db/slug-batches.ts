import { asc, count, gt, max, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database.ts";

type Query = {
  table: PgTable;
  /** A column with an index, so that a batch is found without reading the ones before it. */
  slug: PgColumn;
  /** An instant of each row. */
  instant: SQL;
  /** Which rows to return. */
  condition: SQL;
  batchSize: number;
};

/**
 * Reads the slugs and one instant of many rows, in batches, in the order of the slugs. A batch
 * arrives as one text, because the transfer of single rows takes longer than reading them. The
 * condition is applied after the index was read: Postgres might otherwise sort all rows for every
 * batch.
 */
export async function* readSlugBatches(
  db: Database,
  { table, slug, instant, condition, batchSize }: Query,
): AsyncGenerator<{ slug: string; instant: Date }[]> {
  let previous = "";
  for (;;) {
    const batch = db
      .select({
        slug: sql<string>`${slug}`.as("slug"),
        seconds: sql<number>`floor(extract(epoch from ${instant}))`.as("seconds"),
        isWanted: sql<boolean>`${condition}`.as("isWanted"),
      })
      .from(table)
      .where(gt(slug, previous))
      .orderBy(asc(slug))
      .limit(batchSize)
      .as("batch");
    const [row] = await db
      .select({
        lines: sql<
          string | null
        >`string_agg(${batch.slug} || ' ' || ${batch.seconds}, E'\n' order by ${batch.slug}) filter (where ${batch.isWanted})`,
        last: max(batch.slug),
        rowCount: count(),
      })
      .from(batch);
    if (!row || row.last === null) return;
    yield row.lines === null ? [] : row.lines.split("\n").map(parseLine);
    if (row.rowCount < batchSize) return;
    previous = row.last;
  }
}

function parseLine(line: string): { slug: string; instant: Date } {
  const space = line.lastIndexOf(" ");
  return { slug: line.slice(0, space), instant: new Date(Number(line.slice(space + 1)) * 1000) };
}
