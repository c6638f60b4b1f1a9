import { eq, gt, sql } from "drizzle-orm";
import { isAnyOf, recordset, updateRows } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { feedItems, feedSources, headlines, newestFirst } from "../schema.server.ts";
import { createBatcher } from "./batch.server.ts";
import type { Item } from "./normalize.server.ts";
import {
  createRecentTitles,
  type RecentTitles,
  similarTitleWindowMs,
  type TitleWords,
  toTitleWords,
} from "./similar-titles.server.ts";

/** The maximum number of stored titles that new items are compared with. */
const maxTitles = 20_000;
/**
 * A transaction on PGlite blocks every other query, so it must be short. This many items take about
 * 60 ms; twice as many per transaction would save only 3% of the time.
 */
const batchSize = 100;

export type SourceState = typeof feedSources.$inferSelect;
type FetchedSource = { state: SourceState; items: Item[]; now: Date };
type StoredCounts = { fresh: number; changed: number };
export type Store = (fetched: FetchedSource) => Promise<StoredCounts>;

export async function loadRecentTitles(db: Database, now: Date): Promise<RecentTitles<number>> {
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
 * A part of a visit's result, small enough for one transaction. The last part also has the new
 * state of the source.
 */
type Part = { sourceId: string; items: Item[]; now: Date; state: SourceState | null };

/**
 * Returns a function that stores the results of visits, several visits per transaction. These
 * transactions do not wait for the disk, so a crash can undo the last of them. That loses nothing:
 * the state of a source (with its etag) is stored together with its last items, so a crash that
 * undoes the items undoes the state too, and the next visit fetches the items again.
 */
export function createStore(db: Database, getTitles: () => Promise<RecentTitles<number>>): Store {
  const storePart = createBatcher<Part, StoredCounts>({
    sizeOf: ({ items }) => items.length,
    maxSize: batchSize,
    async run(parts) {
      const hasItems = parts.some(({ items }) => items.length > 0);
      const titles = hasItems ? await getTitles() : createRecentTitles<number>();
      const { counts, added } = await db.transaction(async (tx) => {
        await tx.execute(sql`set local synchronous_commit = off`);
        return storeParts(tx, titles, parts);
      });
      for (const { words, sourceId, headlineId } of added) titles.add(words, sourceId, headlineId);
      return counts;
    },
  });
  return async ({ state, items, now }) => {
    const total: StoredCounts = { fresh: 0, changed: 0 };
    let start = 0;
    do {
      const end = start + batchSize;
      const part = { sourceId: state.id, items: items.slice(start, end), now };
      const { fresh, changed } = await storePart({
        ...part,
        state: end < items.length ? null : state,
      });
      total.fresh += fresh;
      total.changed += changed;
      start = end;
    } while (start < items.length);
    return total;
  };
}

type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
type FetchedItem = Item & { sourceId: string; seenAt: Date };
/**
 * A new item and the headline to which it belongs: `headlineId` if the headline is stored already,
 * otherwise `headlineIdentity` of a headline that this batch adds.
 */
type AssignedItem = FetchedItem & {
  words: TitleWords;
  headlineIdentity: string;
  headlineId: number | null;
  /** Whether the headline has to be added, because this is its first item. */
  isFirst: boolean;
};

async function storeParts(tx: Transaction, titles: RecentTitles<number>, parts: Part[]) {
  const items = parts.flatMap(({ sourceId, items, now }) =>
    items.map((item): FetchedItem => ({ ...item, sourceId, seenAt: now })),
  );
  const knownItems = await findKnownItems(tx, items);
  const changed = await updateChangedItems(tx, items, knownItems);
  const newItems = items.filter((item) => !knownItems.has(toItemKey(item)));
  const identities = newItems.map(({ identity }) => identity);
  const assigned = assignHeadlines(titles, newItems, await findHeadlines(tx, identities));
  const inserted = await insertItems(tx, assigned);
  await updateRows(
    tx,
    feedSources,
    // If an editor has changed the URL during the visit, the new state belongs to the old URL and
    // is not stored.
    ["id", "url"],
    parts.flatMap(({ state }) => state ?? []),
  );
  const counts = parts.map(({ sourceId }) => ({
    fresh: inserted.filter((item) => item.sourceId === sourceId).length,
    changed: changed.filter((item) => item.sourceId === sourceId).length,
  }));
  const sourceTags = new Set(
    [...inserted, ...changed].map((item) => cacheTags.source(item.sourceId)),
  );
  if (sourceTags.size > 0) await purge(tx, [cacheTags.headlines, ...sourceTags]);
  return { counts, added: inserted.filter(({ isFirst }) => isFirst) };
}

const toItemKey = ({ sourceId, key }: { sourceId: string; key: string }) => `${sourceId} ${key}`;

type KnownItem = { feedItem: typeof feedItems.$inferSelect; firstSourceId: string };

/** The items that are stored already, by their key from `toItemKey`. */
async function findKnownItems(tx: Transaction, items: FetchedItem[]) {
  if (items.length === 0) return new Map();
  const sourceIds = items.map(({ sourceId }) => sourceId);
  const keys = items.map(({ key }) => key);
  const rows = await tx
    .select({ feedItem: feedItems, firstSourceId: headlines.sourceId })
    .from(feedItems)
    .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
    .where(
      sql`(${feedItems.sourceId}, ${feedItems.key}) in (select * from unnest(${sql.param(sourceIds)}::text[], ${sql.param(keys)}::text[]))`,
    );
  return new Map(rows.map((row) => [toItemKey(row.feedItem), row]));
}

/**
 * Updates the items that their source has edited, and their headlines if that source had the
 * headline first. `firstSeenAt` does not change. Returns the updated items.
 */
async function updateChangedItems(
  tx: Transaction,
  items: FetchedItem[],
  knownItems: Map<string, KnownItem>,
): Promise<FetchedItem[]> {
  const changed: FetchedItem[] = [];
  const changedItems: Partial<typeof feedItems.$inferSelect>[] = [];
  const changedHeadlines = new Map<number, Partial<typeof headlines.$inferSelect>>();
  for (const item of items) {
    const known = knownItems.get(toItemKey(item));
    if (!known) continue;
    const { feedItem, firstSourceId } = known;
    const { sourceId, key, title, link, summary, publishedAt } = item;
    const shownAt = publishedAt ?? feedItem.shownAt;
    const isSame =
      feedItem.title === title &&
      feedItem.link === link &&
      feedItem.summary === summary &&
      feedItem.shownAt.getTime() === shownAt.getTime();
    if (isSame) continue;
    changed.push(item);
    changedItems.push({ sourceId, key, title, summary, link, shownAt });
    const id = feedItem.headlineId;
    if (firstSourceId === sourceId)
      changedHeadlines.set(id, { id, title, link, summary, publishedAt, shownAt });
  }
  await updateRows(tx, feedItems, ["sourceId", "key"], changedItems);
  await updateRows(tx, headlines, ["id"], [...changedHeadlines.values()]);
  return changed;
}

async function findHeadlines(tx: Transaction, identities: string[]): Promise<Map<string, number>> {
  if (identities.length === 0) return new Map();
  const rows = await tx
    .select({ id: headlines.id, identity: headlines.identity })
    .from(headlines)
    .where(isAnyOf(headlines.identity, identities));
  return new Map(rows.map(({ identity, id }) => [identity, id]));
}

/**
 * Finds the headline of each new item: a stored headline, a headline from another source in the
 * same batch, or a new headline.
 */
function assignHeadlines(
  titles: RecentTitles<number>,
  items: FetchedItem[],
  storedHeadlines: Map<string, number>,
): AssignedItem[] {
  const batchTitles = createRecentTitles<string>();
  const batchHeadlines = new Set<string>();
  return items.map((item): AssignedItem => {
    const { identity, title, sourceId } = item;
    const words = toTitleWords(title);
    const isTitleCompared = isRecent(item);
    const headlineId =
      storedHeadlines.get(identity) ?? (isTitleCompared ? titles.find(words, sourceId) : null);
    if (headlineId !== null)
      return { ...item, words, headlineIdentity: identity, headlineId, isFirst: false };
    const similar = isTitleCompared ? batchTitles.find(words, sourceId) : null;
    const headlineIdentity = batchHeadlines.has(identity) ? identity : (similar ?? identity);
    const isFirst = !batchHeadlines.has(headlineIdentity);
    if (isFirst) {
      batchHeadlines.add(headlineIdentity);
      batchTitles.add(words, sourceId, headlineIdentity);
    }
    return { ...item, words, headlineIdentity, headlineId, isFirst };
  });
}

/** Only recent items are compared by title: an old item that appears late is not a duplicate. */
const isRecent = ({ publishedAt, seenAt }: FetchedItem) =>
  publishedAt === null || seenAt.getTime() - publishedAt.getTime() <= similarTitleWindowMs;

type InsertedItem = AssignedItem & { headlineId: number };

async function insertItems(tx: Transaction, assigned: AssignedItem[]): Promise<InsertedItem[]> {
  const inserted = await insertAssigned(tx, assigned);
  if (inserted.length === assigned.length) return inserted;
  // Another node has inserted some of the headlines meanwhile. Our items are added to them.
  const insertedKeys = new Set(inserted.map(toItemKey));
  const rest = assigned.filter((item) => !insertedKeys.has(toItemKey(item)));
  const storedHeadlines = await findHeadlines(
    tx,
    rest.map(({ headlineIdentity }) => headlineIdentity),
  );
  const reassigned = rest.map((item) => ({
    ...item,
    headlineId: item.headlineId ?? storedHeadlines.get(item.headlineIdentity) ?? null,
    isFirst: false,
  }));
  return [...inserted, ...(await insertAssigned(tx, reassigned))];
}

const assignedColumns = {
  sourceId: "text",
  key: "text",
  headlineIdentity: "text",
  headlineId: "bigint",
  isFirst: "boolean",
  title: "text",
  link: "text",
  summary: "text",
  publishedAt: "timestamptz",
  seenAt: "timestamptz",
};

/**
 * Inserts into the tables of items and headlines with one statement, so that the text of an item is
 * sent and read once. Skips items whose headline does not exist. Returns the inserted items.
 */
async function insertAssigned(tx: Transaction, assigned: AssignedItem[]): Promise<InsertedItem[]> {
  if (assigned.length === 0) return [];
  const input = assigned.map(({ words: _words, identity: _identity, ...row }) => row);
  const item = tx
    .$with("item", {})
    .as(
      sql`select *, coalesce("publishedAt", "seenAt") as "shownAt" from ${recordset("input", assignedColumns, input)}`,
    );
  const added = tx.$with("added", {}).as(
    sql`insert into ${headlines} ("identity", "sourceId", "title", "link", "summary", "publishedAt", "firstSeenAt", "shownAt")
      select "headlineIdentity", "sourceId", "title", "link", "summary", "publishedAt", "seenAt", "shownAt" from item where "isFirst"
      on conflict do nothing returning "id", "identity"`,
  );
  const rows = await tx
    .with(item, added)
    .insert(feedItems)
    .select(
      sql`select "sourceId", "key", coalesce("headlineId", "id"), "link", "title", "summary", "shownAt"
        from item left join added on "identity" = "headlineIdentity" where coalesce("headlineId", "id") is not null`,
    )
    .onConflictDoNothing()
    .returning({
      sourceId: feedItems.sourceId,
      key: feedItems.key,
      headlineId: feedItems.headlineId,
    });
  const headlineIds = new Map(rows.map((row) => [toItemKey(row), row.headlineId]));
  return assigned.flatMap((item) => {
    const headlineId = headlineIds.get(toItemKey(item));
    return headlineId === undefined ? [] : [{ ...item, headlineId }];
  });
}
