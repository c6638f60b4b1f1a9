import { and, eq, gt, sql } from "drizzle-orm";
import { isAnyOf, recordset, updateRows } from "../../../../db/bulk.ts";
import type { Database } from "../../../../db/database.ts";
import { cacheTags, purge } from "../../../platform/tags.ts";
import { feedItems, headlines, newestFirst } from "../schema.server.ts";
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

type StoredItems = {
  fresh: number;
  changed: number;
  added: { words: TitleWords; headlineId: number }[];
};

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

/** Stores the items of feeds, one feed after the other. */
export function createStore() {
  let titles: RecentTitles<number> | undefined;
  return {
    async store(tx: Database, sourceId: string, items: Item[], now: Date): Promise<StoredItems> {
      titles ??= await loadRecentTitles(tx, now);
      return storeItems(tx, titles, { sourceId, items, now });
    },
    /**
     * Call this after the transaction, so that the next feeds find the headlines of this one, and
     * only if they are stored.
     */
    remember(sourceId: string, { added }: StoredItems): void {
      for (const { words, headlineId } of added) titles?.add(words, sourceId, headlineId);
    },
  };
}

/** A new item, and the stored headline to which it belongs. Null if it needs a new headline. */
type AssignedItem = Item & { words: TitleWords; headlineId: number | null };

async function storeItems(
  tx: Database,
  titles: RecentTitles<number>,
  { sourceId, items, now }: { sourceId: string; items: Item[]; now: Date },
): Promise<StoredItems> {
  const knownItems = await findKnownItems(tx, sourceId, items);
  const changed = await updateChangedItems(tx, sourceId, items, knownItems);
  const newItems = items.filter(({ key }) => !knownItems.has(key));
  const assigned = assignHeadlines(newItems, await findHeadlines(tx, newItems), (item, words) =>
    isRecent(item, now) ? titles.find(words, sourceId) : null,
  );
  const headlineIds = await insertItems(tx, sourceId, assigned, now);
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
async function findKnownItems(tx: Database, sourceId: string, items: Item[]) {
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
  tx: Database,
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
async function findHeadlines(tx: Database, items: Item[]): Promise<Map<string, number>> {
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
  tx: Database,
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
