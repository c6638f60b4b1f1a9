import { sql } from "drizzle-orm";
import { readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import type { PageServices } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";

const shownTags = [cacheTags.stories, cacheTags.blog, cacheTags.events];

/**
 * The paths of everything that editors took down: files, imported events and rows. It is raw SQL,
 * because the tables belong to features that import this one.
 */
export const takenDownPaths: SharedRead<ReadonlySet<string>> = {
  name: "paths that were taken down",
  tags: shownTags,
  async load(db) {
    const rows = await db.select({ path: sql<string>`path` }).from(sql`(
      select case kind when 'story' then '/news/' when 'post' then '/blog/' else '/events/' end || id
        as path from desk_file_notes where "isDown"
      union all select '/news/' || slug from story_submissions where state = 'down'
      union all select '/blog/' || slug from blog_posts where state = 'down'
      union all select '/events/' || id from event_submissions where state = 'down'
    ) as down`);
    return new Set(rows.map(({ path }) => path));
  },
};

const none: ReadonlySet<string> = new Set();

/**
 * Leaves out items that link to something that editors took down. Use this for links that somebody
 * typed: lists of stories, posts and events contain only published ones anyway.
 */
export async function withoutTakenDown<Item>(
  { db, tags }: Pick<PageServices, "db" | "tags">,
  items: Item[],
  toLink: (item: Item) => unknown,
): Promise<Item[]> {
  const paths = items.map((item) => /^\/(?:news|blog|events)\/[^?#]+/.exec(String(toLink(item))));
  // Most links lead elsewhere, and a page need not be rendered again because of them.
  if (!paths.some(Boolean)) return items;
  for (const tag of shownTags) tags.add(tag);
  const down = await readSharedOr(db, takenDownPaths, none);
  return items.filter((_, index) => !down.has(paths[index]?.[0] ?? ""));
}
