import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "./backup/dump.ts";
import { damageCodes } from "./damage-codes.ts";
import type { Database } from "./database.ts";

type Damage = {
  table: string;
  /** The message of Postgres, or what is missing. */
  reason: string;
};

type DamageReport = {
  damaged: Damage[];
  /** How many tables were read completely. */
  readCount: number;
  /** How many tables were not read completely, because the time ran out. */
  unreadCount: number;
};

type Queries = Pick<Database, "execute">;

/**
 * One statement reads at most this many pages of a table (8 KB each), so that the timeout is
 * checked often enough.
 */
const pageBatchSize = 1_000;
/** The same limit for the pages of an index, which take longer to check. */
const indexPageBatchSize = 100;

const relationSchema = z.object({
  /** For a TOAST table, which stores the long values of another table: the name of that table. */
  table: z.string(),
  name: z.string(),
  pages: z.number(),
  /** All indexes of the table. Indexes with an entry for every row come first. */
  indexes: z.array(
    z.object({
      name: z.string(),
      pages: z.number(),
      isPartial: z.boolean(),
      isBtree: z.boolean(),
    }),
  ),
});
type Relation = z.infer<typeof relationSchema>;

/** Thrown at the end of the check, to roll back its transaction. */
class CheckFinished extends Error {}

/**
 * Reads all tables of the built-in database and checks whether their files are damaged. Reading
 * alone is not enough, because to Postgres an empty, truncated or zeroed file is a table with fewer
 * rows. So the entries of an index are compared with the pages that they point to. All other
 * queries wait during the check, so it has a timeout; small tables come first, and those of Postgres
 * itself last.
 */
export async function findDamage(db: Database, timeoutMs: number): Promise<DamageReport> {
  const report: DamageReport = { damaged: [], readCount: 0, unreadCount: 0 };
  const deadline = performance.now() + timeoutMs;
  const isLate = () => performance.now() > deadline;
  const finished = new CheckFinished();
  try {
    await db.transaction(async (tx) => {
      // The two extensions are part of PGlite. The rollback removes them from the database again.
      await tx.execute(sql`create extension amcheck`);
      await tx.execute(sql`create extension pageinspect`);
      for (const each of await readRelations(tx)) {
        if (isLate()) {
          report.unreadCount += 1;
          continue;
        }
        try {
          // Each table is read in a savepoint, because an error aborts the innermost transaction.
          const outcome = await tx.transaction((inner) => readTable(inner, each, isLate));
          if (outcome === "late") report.unreadCount += 1;
          else report.readCount += 1;
          if (outcome === "incomplete")
            report.damaged.push({ table: each.table, reason: "rows are missing in its file" });
        } catch (error) {
          const cause =
            error instanceof Error && error.cause instanceof Error ? error.cause : error;
          if (!isDamage(cause)) throw error;
          report.damaged.push({ table: each.table, reason: cause.message });
        }
      }
      throw finished;
    });
  } catch (error) {
    if (error !== finished) throw error;
  }
  return report;
}

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && damageCodes.includes(String(error.code));

const readRelations = (tx: Queries): Promise<Relation[]> =>
  queryRows(
    tx,
    sql`select coalesce(owner.relname, c.relname) as "table", c.oid::regclass::text as "name",
          pg_relation_size(c.oid)::int8 / 8192 as "pages",
          coalesce((select json_agg(json_build_object('name', indexrelid::regclass::text, 'isPartial', indpred is not null,
              'isBtree', amname = 'btree', 'pages', pg_relation_size(indexrelid) / 8192) order by indpred is not null, indexrelid)
            from pg_index join pg_class i on i.oid = indexrelid join pg_am on pg_am.oid = i.relam
            where indrelid = c.oid), '[]') as "indexes"
        from pg_class c left join pg_class owner on owner.reltoastrelid = c.oid
        where c.relkind in ('r', 't')
        order by coalesce(owner.relnamespace, c.relnamespace)::regnamespace::text
          in ('pg_catalog', 'information_schema'), "pages", "name"`,
    relationSchema,
  );

/** Rejects with the error of Postgres if a page is damaged. */
async function readTable(
  tx: Queries,
  { name, pages, indexes }: Relation,
  isLate: () => boolean,
): Promise<"complete" | "incomplete" | "late"> {
  for (let page = 0; page < pages; page += pageBatchSize) {
    if (isLate()) return "late";
    const [from, to] = [`(${page},0)`, `(${page + pageBatchSize},0)`];
    await tx.execute(
      sql`select count(*) from ${sql.raw(name)} where ctid >= ${from}::tid and ctid < ${to}::tid`,
    );
  }
  for (const index of indexes) {
    // Reading a page compares it with its checksum.
    for (let page = 0; page < index.pages; page += pageBatchSize) {
      if (isLate()) return "late";
      const lastPage = Math.min(page + pageBatchSize, index.pages) - 1;
      await tx.execute(
        sql`select count(get_raw_page(${index.name}, number))
            from generate_series(${page}::int8, ${lastPage}::int8) as number`,
      );
    }
    if (isLate()) return "late";
    if (index.isBtree) await tx.execute(sql`select bt_index_check(${index.name}::regclass)`);
  }
  const fullIndex = indexes.find(({ isPartial, isBtree }) => isBtree && !isPartial);
  // The first page of an index has no entries.
  for (let page = 1; fullIndex && page < fullIndex.pages; page += indexPageBatchSize) {
    if (isLate()) return "late";
    const lastPage = Math.min(page + indexPageBatchSize, fullIndex.pages) - 1;
    const lostPages = await queryRows(
      tx,
      sql`select page from (
            select distinct (entry.htid::text::point)[0]::int8 as page
            from generate_series(${page}::int8, ${lastPage}::int8) as number,
              bt_page_stats(${fullIndex.name}, number) as stats, bt_page_items(${fullIndex.name}, number) as entry
            where stats.type = 'l' and entry.htid is not null
          ) as pages
          where case when page >= ${pages}::int8 then true else (page_header(get_raw_page(${name}, page))).upper = 0 end
          limit 1`,
      z.object({ page: z.number() }),
    );
    if (lostPages.length > 0) return "incomplete";
  }
  return "complete";
}
