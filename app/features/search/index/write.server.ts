import { eq, getTableColumns, gt, inArray, sql } from "drizzle-orm";
import { overwrite } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { headlines } from "../../feeds/schema.server.ts";
import { searchDocuments, searchProgress } from "../schema.server.ts";
import { learnWords, selectDocumentWords } from "./spelling.server.ts";

export type SearchDocument = Omit<typeof searchDocuments.$inferSelect, "searchVector">;

/** Batches are small: PGlite runs one statement at a time, and readers' queries wait for it. */
const documentBatchSize = 20;
const headlineBatchSize = 200;
const deleteBatchSize = 200;
const maxHeadlinesPerRun = 10_000;

/** An arbitrary number for an advisory lock, so that only one node writes at a time. */
const indexLock = 4_104_516;

type SyncResult = { written: number; removed: number };

/**
 * Makes the index match the current content of the site. It reads and writes only documents whose
 * version has changed, so a second call changes nothing.
 */
export async function syncDocuments<Document extends Pick<SearchDocument, "id" | "version">>(
  db: Database,
  documents: Document[],
  read: (changed: Document[]) => Promise<SearchDocument[]>,
): Promise<SyncResult> {
  const { id, version } = searchDocuments;
  const rows = await db.select({ id, version }).from(searchDocuments);
  const knownVersions = new Map(rows.map((row) => [row.id, row.version]));
  const ids = new Set(documents.map((document) => document.id));
  const removedIds = rows.map((row) => row.id).filter((known) => !ids.has(known));
  // Deletions come first, so that a later failure does not keep a removed page in the results.
  for (const batch of toBatches(removedIds, deleteBatchSize))
    await db.delete(searchDocuments).where(inArray(searchDocuments.id, batch));
  const changed = documents
    .filter((document) => knownVersions.get(document.id) !== document.version)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const batch of toBatches(changed, documentBatchSize))
    await writeDocuments(db, await read(batch));
  if (changed.length + removedIds.length > 0) await purge(db, [cacheTags.search]);
  return { written: changed.length, removed: removedIds.length };
}

async function writeDocuments(db: Database, documents: SearchDocument[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${indexLock})`);
    await tx
      .insert(searchDocuments)
      .values(documents)
      .onConflictDoUpdate({ target: searchDocuments.id, set: overwrite(changingColumns) });
    await learnWords(tx, selectDocumentWords(documents.map(({ id }) => id)));
  });
}

const { id: _id, searchVector: _vector, ...changingColumns } = getTableColumns(searchDocuments);

export async function learnFromHeadlines(db: Database): Promise<void> {
  for (let count = 0; count < maxHeadlinesPerRun; count += headlineBatchSize) {
    const isDone = await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${indexLock})`);
      const [progress] = await tx
        .select({ upTo: searchProgress.upTo })
        .from(searchProgress)
        .where(eq(searchProgress.table, "headlines"));
      const rows = await tx
        .select({ id: headlines.id })
        .from(headlines)
        .where(gt(headlines.id, progress?.upTo ?? 0))
        .orderBy(headlines.id)
        .limit(headlineBatchSize);
      const upTo = rows.at(-1)?.id;
      if (upTo === undefined) return true;
      const ids = rows.map(({ id }) => id);
      await learnWords(
        tx,
        sql`select to_tsvector('harborline_words', search_plain(${headlines.title})) as vector from ${headlines} where ${inArray(headlines.id, ids)}`,
      );
      await tx
        .insert(searchProgress)
        .values({ table: "headlines", upTo })
        .onConflictDoUpdate({ target: searchProgress.table, set: { upTo } });
      return rows.length < headlineBatchSize;
    });
    if (isDone) return;
  }
}

function toBatches<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, index * size + size),
  );
}
