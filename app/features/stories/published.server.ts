import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../../db/database.ts";
import { readShared } from "../../../db/shared-reads.ts";
import { findNearest } from "../../lib/text/nearest.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags, purgePages } from "../../platform/tags.ts";
import {
  listFileStories,
  listPublishedFileStories,
  readFirstSeen,
  storeFirstSeen,
} from "./file-stories.server.ts";
import { newsFolder } from "./files.server.ts";
import { approvedStories, findApprovedSlugs } from "./readers/approved.server.ts";
import { storySubmissions } from "./readers/schema.server.ts";
import { publishedStories } from "./schema.server.ts";

/** The number of values per SQL statement is limited. */
const batchSize = 1_000;

/**
 * Remembers which stories are published, when the site first saw each of them, and which files are
 * not used because a story of the database has their path. If there are new
 * ones, such as a scheduled story that is due, this also purges the pages with stories on every
 * node. Returns the number of new stories.
 */
export async function rememberPublished(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<number> {
  const { site, db, clock } = services;
  const ids = site.readAll(newsFolder).map(({ id }) => id);
  const refused = await findApprovedSlugs(db, ids);
  const stories = (await listPublishedFileStories(services))
    .map(({ id, title }) => ({ id, title }))
    .filter(({ id }) => !refused.has(id));
  const readAt = clock();
  const times = new Map<string, Date>();
  let newCount = 0;
  for (let start = 0; start < stories.length; start += batchSize) {
    const batch = stories.slice(start, start + batchSize);
    const rows = await db
      .select()
      .from(publishedStories)
      .where(
        inArray(
          publishedStories.id,
          batch.map(({ id }) => id),
        ),
      );
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    const changed = batch.filter(({ id, title }) => titles.get(id) !== title);
    // Another node may have seen a story first.
    const stored = changed.length > 0 ? await storePublished(db, changed, clock()) : [];
    for (const { id, noticedAt } of [...rows, ...stored]) times.set(id, noticedAt);
    newCount += changed.filter(({ id }) => !titles.has(id)).length;
  }
  const wasRefused = readFirstSeen(site)?.refused ?? new Set<string>();
  storeFirstSeen(site, { readAt, times, refused });
  if (refused.symmetricDifference(wasRefused).size > 0) await purgePages(db, [cacheTags.stories]);
  return newCount;
}

const storePublished = (db: Database, stories: { id: string; title: string }[], noticedAt: Date) =>
  db.transaction(async (tx) => {
    await purgePages(tx, [cacheTags.stories]);
    return tx
      .insert(publishedStories)
      .values(stories.map((story) => ({ ...story, noticedAt })))
      .onConflictDoUpdate({ target: publishedStories.id, set: { title: sql`excluded.title` } })
      .returning();
  });

/**
 * The status of a URL without a story: 410 (gone) if readers could once read a story there. A story
 * that is a draft again, or is scheduled, is not gone.
 */
export async function missingStoryStatus(
  services: Pick<Services, "site" | "db">,
  id: string,
): Promise<404 | 410> {
  const isWaiting =
    (await listFileStories(services)).some((record) => record.id === id) ||
    (await isDraftAgain(services.db, id));
  return !isWaiting && (await wasPublished(services.db, id)) ? 410 : 404;
}

/** Whether editors work on the story at the desk, after it was on the site. */
const isDraftAgain = async (db: Database, slug: string): Promise<boolean> =>
  (await db.$count(
    storySubmissions,
    and(eq(storySubmissions.slug, slug), eq(storySubmissions.state, "draft")),
  )) > 0;

/** Whether a story with this id was on the site at some time. */
async function wasPublished(db: Database, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: publishedStories.id })
    .from(publishedStories)
    .where(eq(publishedStories.id, id));
  return rows.length > 0;
}

/**
 * Suggests where the story at a missing path is now: at the path of a story with the same title, or
 * at a similar path.
 */
export async function suggestStoryPath(
  path: string,
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<string | null> {
  const [, id] = /^\/news\/([^/]+)$/.exec(path) ?? [];
  if (id === undefined) return null;
  const storedStories = await readShared(services.db, approvedStories);
  const stories = [
    ...(await listPublishedFileStories(services)).map(({ id, title }) => ({ id, title })),
    ...storedStories.map(({ slug, title }) => ({ id: slug, title })),
  ];
  const [gone] = await services.db
    .select({ title: publishedStories.title })
    .from(publishedStories)
    .where(eq(publishedStories.id, id));
  const renamed = gone?.title && stories.find(({ title }) => title === gone.title);
  const suggestion =
    (renamed ? renamed.id : undefined) ??
    findNearest(
      id,
      stories.map((story) => story.id),
    );
  return suggestion === undefined ? null : `/news/${suggestion}`;
}
