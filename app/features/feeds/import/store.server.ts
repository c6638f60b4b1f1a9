import { and, eq, gt, sql } from "drizzle-orm";
import pLimit from "p-limit";
import { isAnyOf, recordset, updateRows } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { feedItems, feedSources, headlines, newestFirst } from "../schema.server.ts";
import {
  createRecentTitles,
  type RecentTitles,
  similarTitleWindowMs,
  type TitleWords,
  toTitleWords,
} from "../similar-titles.server.ts";
import type { Item } from "./normalize.server.ts";

/** The maximum number of stored titles that new items are compared with. */
const maxTitles = 20_000;

export type SourceState = typeof feedSources.$inferSelect;
type FetchedSource = { state: SourceState; items: Item[]; now: Date };
type StoredCounts = { fresh: number; changed: number };
export type Store = (fetched: FetchedSource) => Promise<StoredCounts>;

async function loadRecentTitles(db: Database, now: Date): Promise<RecentTitles<number>> {
  const titles = createRecentTitles<number>();
  const since = new Date(now.getTime() - similarTitleWindowMs);
  const rows = await db
    .select({ id: headlines.id, title: headlines.title, sourceId: headlines.sourceId })
    .from(headlines)
    .where(gt(headlines.shownAt, since))
    .orderBy(newestFirst(headlines.shownAt))
    .limit(maxTitles);
  for (const { id, title, sourceId } of rows.reverse())
    titles.add(toTitleWords(title), sourceId, id);
  return titles;
}

/**
 * Returns a function that stores the results of visits, each in a transaction. These transactions
 * do not wait for the disk, so a crash can undo the last of them. That loses nothing: the state of
 * a source (with its etag) is stored together with its items, so a crash that undoes the items
 * undoes the state too, and the next visit fetches the items again.
 */
export function createStore(db: Database): Store {
  // One visit after the other, so that each finds the headlines of those before it.
  const limit = pLimit(1);
  let titles: RecentTitles<number> | undefined;
  const storeVisit = async (visit: FetchedSource): Promise<StoredCounts> => {
    if (visit.items.length > 0) titles ??= await loadRecentTitles(db, visit.now);
    const known = titles ?? createRecentTitles<number>();
    const { fresh, changed, added } = await db.transaction(async (tx) => {
      await tx.execute(sql`set local synchronous_commit = off`);
      return store(tx, known, visit);
    });
    for (const { words, headlineId } of added) known.add(words, visit.state.id, headlineId);
    return { fresh, changed };
  };
  return (visit) => limit(storeVisit, visit);
}

type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** A new item, and the stored headline to which it belongs. Null if it needs a new headline. */
type AssignedItem = Item & { words: TitleWords; headlineId: number | null };

async function store(
  tx: Transaction,
  titles: RecentTitles<number>,
  { state, items, now }: FetchedSource,
) {
  const { id: sourceId, url } = state;
  const knownItems = await findKnownItems(tx, sourceId, items);
  const changed = await updateChangedItems(tx, sourceId, items, knownItems);
  const newItems = items.filter(({ key }) => !knownItems.has(key));
  const assigned = assignHeadlines(newItems, await findHeadlines(tx, newItems), (item, words) =>
    isRecent(item, now) ? titles.find(words, sourceId) : null,
  );
  const headlineIds = await insertItems(tx, sourceId, assigned, now);
  await tx
    .update(feedSources)
    .set(state)
    // If an editor has changed the URL during the visit, the new state belongs to the old URL and
    // is not stored.
    .where(and(eq(feedSources.id, sourceId), eq(feedSources.url, url)));
  if (headlineIds.size + changed > 0)
    await purge(tx, [cacheTags.headlines, cacheTags.source(sourceId)]);
  const added = assigned.flatMap(({ key, words, headlineId }) => {
    const id = headlineIds.get(key);
    return headlineId === null && id !== undefined ? [{ words, headlineId: id }] : [];
  });
  return { fresh: headlineIds.size, changed, added };
}

type KnownItem = { feedItem: typeof feedItems.$inferSelect; firstSourceId: string };

/** The items of the source that are stored already, by their keys. */
async function findKnownItems(tx: Transaction, sourceId: string, items: Item[]) {
  if (items.length === 0) return new Map<string, KnownItem>();
  const keys = items.map(({ key }) => key);
  const rows = await tx
    .select({ feedItem: feedItems, firstSourceId: headlines.sourceId })
    .from(feedItems)
    .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
    .where(and(eq(feedItems.sourceId, sourceId), isAnyOf(feedItems.key, keys)));
  return new Map(rows.map((row): [string, KnownItem] => [row.feedItem.key, row]));
}

/**
 * Updates the items that the source has edited, and their headlines if this source had the headline
 * first. `firstSeenAt` does not change. Returns the number of updated items.
 */
async function updateChangedItems(
  tx: Transaction,
  sourceId: string,
  items: Item[],
  knownItems: Map<string, KnownItem>,
): Promise<number> {
  const changedItems: Partial<typeof feedItems.$inferSelect>[] = [];
  const changedHeadlines = new Map<number, Partial<typeof headlines.$inferSelect>>();
  for (const { key, title, link, summary, publishedAt } of items) {
    const known = knownItems.get(key);
    if (!known) continue;
    const { feedItem, firstSourceId } = known;
    const shownAt = publishedAt ?? feedItem.shownAt;
    const isSame =
      feedItem.title === title &&
      feedItem.link === link &&
      feedItem.summary === summary &&
      feedItem.shownAt.getTime() === shownAt.getTime();
    if (isSame) continue;
    changedItems.push({ sourceId, key, title, summary, link, shownAt });
    const id = feedItem.headlineId;
    if (firstSourceId === sourceId)
      changedHeadlines.set(id, { id, title, link, summary, publishedAt, shownAt });
  }
  await updateRows(tx, feedItems, ["sourceId", "key"], changedItems);
  await updateRows(tx, headlines, ["id"], [...changedHeadlines.values()]);
  return changedItems.length;
}

/** The stored headlines of these items, by their identities. */
async function findHeadlines(tx: Transaction, items: Item[]): Promise<Map<string, number>> {
  if (items.length === 0) return new Map();
  const identities = items.map(({ identity }) => identity);
  const rows = await tx
    .select({ id: headlines.id, identity: headlines.identity })
    .from(headlines)
    .where(isAnyOf(headlines.identity, identities));
  return new Map(rows.map(({ identity, id }) => [identity, id]));
}

/** Finds the stored headline of each new item, by its identity or else by a similar title. */
const assignHeadlines = (
  items: Item[],
  storedHeadlines: Map<string, number>,
  findSimilar: (item: Item, words: TitleWords) => number | null,
): AssignedItem[] =>
  items.map((item) => {
    const words = toTitleWords(item.title);
    return {
      ...item,
      words,
      headlineId: storedHeadlines.get(item.identity) ?? findSimilar(item, words),
    };
  });

/** Only recent items are compared by title: an old item that appears late is not a duplicate. */
const isRecent = ({ publishedAt }: Item, now: Date) =>
  publishedAt === null || now.getTime() - publishedAt.getTime() <= similarTitleWindowMs;

const assignedColumns = {
  key: "text",
  identity: "text",
  headlineId: "bigint",
  title: "text",
  link: "text",
  summary: "text",
  publishedAt: "timestamptz",
};

/**
 * Inserts into the tables of items and headlines with one statement, so that the text of an item is
 * sent and read once. If another node has inserted a headline meanwhile, the item is added to it.
 * Returns the headline of each inserted item, by its key.
 */
async function insertItems(
  tx: Transaction,
  sourceId: string,
  assigned: AssignedItem[],
  now: Date,
): Promise<Map<string, number>> {
  if (assigned.length === 0) return new Map();
  const seenAt = now.toISOString();
  const input = assigned.map(({ words: _words, ...row }) => row);
  const item = tx
    .$with("item", {})
    .as(
      sql`select *, ${sourceId}::text as "sourceId", ${seenAt}::timestamptz as "seenAt", coalesce("publishedAt", ${seenAt}::timestamptz) as "shownAt" from ${recordset("input", assignedColumns, input)}`,
    );
  // The update changes nothing. It is there because "do nothing" would not return the row.
  const added = tx.$with("added", {}).as(
    sql`insert into ${headlines} ("identity", "sourceId", "title", "link", "summary", "publishedAt", "firstSeenAt", "shownAt")
      select distinct on ("identity") "identity", "sourceId", "title", "link", "summary", "publishedAt", "seenAt", "shownAt" from item where "headlineId" is null
      on conflict ("identity") do update set "identity" = excluded."identity" returning "id", "identity"`,
  );
  const rows = await tx
    .with(item, added)
    .insert(feedItems)
    .select(
      sql`select item."sourceId", "key", coalesce("headlineId", "id"), "link", "title", "summary", "shownAt"
        from item left join added on added."identity" = item."identity"`,
    )
    .onConflictDoNothing()
    .returning({ key: feedItems.key, headlineId: feedItems.headlineId });
  return new Map(rows.map(({ key, headlineId }) => [key, headlineId]));
}
