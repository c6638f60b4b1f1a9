import { and, desc, eq, gt } from "drizzle-orm";
import { insertRows, isAnyOf } from "../../../db/bulk.ts";
import type { Database } from "../../../db/client.ts";
import { purge } from "../../../db/purge.ts";
import { type RecentTitles, recentTitles } from "./identify.server.ts";
import type { Item } from "./normalise.server.ts";
import { headlineColumns, headlines, sightings } from "./schema.server.ts";

/** So far apart may two sources be in telling the same story. */
const sameStoryWithinMs = 48 * 60 * 60 * 1000;
const titlesInMemory = 20_000;
/** PGlite works in our own thread, so no statement may be long. */
const rowsAtOnce = 100;

export const sourceTag = (sourceId: string) => `source:${sourceId}`;
/** For pages that show what any source has told. */
export const everySourceTag = "headlines";

export type Stored = { fresh: number; changed: number };

/** The titles among which a new one may have its like. */
export async function loadRecentTitles(db: Database, now: Date): Promise<RecentTitles> {
  const titles = recentTitles();
  const since = new Date(now.getTime() - sameStoryWithinMs);
  const rows = await db
    .select({ id: headlines.id, title: headlines.title, sourceId: headlines.sourceId })
    .from(headlines)
    .where(gt(headlines.shownAt, since))
    .orderBy(desc(headlines.shownAt))
    .limit(titlesInMemory);
  for (const { id, title, sourceId } of rows.reverse()) titles.add(title, sourceId, id);
  return titles;
}

/** Takes in a source's items: new ones are added or joined to their story, known ones brought up to date. */
export async function store(
  db: Database,
  titles: RecentTitles,
  sourceId: string,
  items: Item[],
  now: Date,
): Promise<Stored> {
  const total: Stored = { fresh: 0, changed: 0 };
  for (let start = 0; start < items.length; start += rowsAtOnce) {
    const part = items.slice(start, start + rowsAtOnce);
    const { fresh, changed, added } = await db.transaction((tx) =>
      storePart(tx, titles, sourceId, part, now),
    );
    for (const { title, id } of added) titles.add(title, sourceId, id);
    total.fresh += fresh;
    total.changed += changed;
  }
  return total;
}

type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

async function storePart(tx: Transaction, titles: RecentTitles, sourceId: string, items: Item[], now: Date) {
  const known = await knownItems(tx, sourceId, items);
  const changed = await update(tx, sourceId, items, known);
  const unknown = items.filter(({ key }) => !known.has(key));
  const byIdentity = await storiesAt(tx, unknown);
  const storyOf = (item: Item) => byIdentity.get(item.identity) ?? alikeOf(titles, sourceId, item, now);

  const untold = unknown.filter((item) => storyOf(item) === null);
  const oncePerStory = [...new Map(untold.map((item) => [item.identity, item])).values()];
  await insertRows(
    tx,
    headlines,
    oncePerStory.map((item) => headlineOf(item, sourceId, now)),
  );
  for (const [identity, id] of await storiesAt(tx, oncePerStory)) byIdentity.set(identity, id);
  const added = oncePerStory.flatMap(({ identity, title }) => {
    const id = byIdentity.get(identity);
    return id === undefined ? [] : [{ id, title }];
  });

  const seen = unknown.flatMap((item) => {
    const headlineId = storyOf(item);
    if (headlineId === null) return [];
    const { key, title, summary, link } = item;
    return [{ sourceId, key, headlineId, title, summary, link, shownAt: item.publishedAt ?? now }];
  });
  await insertRows(tx, sightings, seen);
  if (seen.length + changed > 0) await purge(tx, [sourceTag(sourceId), everySourceTag]);
  return { fresh: seen.length, changed, added };
}

/** Only what is new may be the same as something new: an old item that turns up late is nobody's twin. */
function alikeOf(
  titles: RecentTitles,
  sourceId: string,
  { title, publishedAt }: Item,
  now: Date,
): number | null {
  if (publishedAt && now.getTime() - publishedAt.getTime() > sameStoryWithinMs) return null;
  return titles.find(title, sourceId);
}

const headlineOf = (item: Item, sourceId: string, now: Date) => ({
  identity: item.identity,
  sourceId,
  title: item.title,
  link: item.link,
  summary: item.summary,
  publishedAt: item.publishedAt,
  firstSeenAt: now,
  shownAt: item.publishedAt ?? now,
});

async function storiesAt(tx: Transaction, items: Item[]): Promise<Map<string, number>> {
  if (items.length === 0) return new Map();
  const identities = items.map(({ identity }) => identity);
  const rows = await tx
    .select({ id: headlines.id, identity: headlines.identity })
    .from(headlines)
    .where(isAnyOf(headlines.identity, identities));
  return new Map(rows.map(({ identity, id }) => [identity, id]));
}

type Known = {
  sighting: typeof sightings.$inferSelect;
  headline: Omit<typeof headlines.$inferSelect, "words">;
};

/** The items that this source has had before, with the stories they belong to. */
async function knownItems(tx: Transaction, sourceId: string, items: Item[]): Promise<Map<string, Known>> {
  const keys = items.map(({ key }) => key);
  const rows = await tx
    .select({ sighting: sightings, headline: headlineColumns })
    .from(sightings)
    .innerJoin(headlines, eq(headlines.id, sightings.headlineId))
    .where(and(eq(sightings.sourceId, sourceId), isAnyOf(sightings.key, keys)));
  return new Map(rows.map((row) => [row.sighting.key, row]));
}

/** An item is corrected by its source, and the story with it if that source told it first. When we first saw it stays. */
async function update(
  tx: Transaction,
  sourceId: string,
  items: Item[],
  known: Map<string, Known>,
): Promise<number> {
  let changed = 0;
  for (const { key, title, link, summary, publishedAt } of items) {
    const before = known.get(key);
    if (!before) continue;
    const { sighting, headline } = before;
    const shownAt = publishedAt ?? sighting.shownAt;
    const isSame =
      sighting.title === title &&
      sighting.link === link &&
      sighting.summary === summary &&
      sighting.shownAt.getTime() === shownAt.getTime();
    if (isSame) continue;
    await tx
      .update(sightings)
      .set({ title, summary, link, shownAt })
      .where(and(eq(sightings.sourceId, sourceId), eq(sightings.key, key)));
    if (headline.sourceId === sourceId)
      await tx
        .update(headlines)
        .set({ title, link, summary, publishedAt, shownAt })
        .where(eq(headlines.id, headline.id));
    changed += 1;
  }
  return changed;
}
