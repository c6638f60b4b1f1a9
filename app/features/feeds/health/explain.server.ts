import { and, eq, inArray, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import type { Sections } from "../files.server.ts";
import { formatTime } from "../listing/select.server.ts";
import { feedItems, headlines, newestFirst } from "../schema.server.ts";
import { sourceHealth } from "./health.server.ts";

const maxShown = 10;

/** Everything we know about a source, as lines of text. Null if the city has no such source. */
export async function explainSource(
  db: Database,
  sections: Sections,
  id: string,
  timeZone: string,
): Promise<string[] | null> {
  const source = (await sourceHealth(db, sections)).find((each) => each.id === id);
  if (!source) return null;
  const time = (instant: Date | null) =>
    instant ? formatTime(instant, timeZone, true).shown : "never";
  const rows = await db
    .select({
      id: headlines.id,
      title: headlines.title,
      by: headlines.sourceId,
      at: feedItems.shownAt,
    })
    .from(feedItems)
    .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
    .where(eq(feedItems.sourceId, id))
    .orderBy(newestFirst(feedItems.shownAt))
    .limit(maxShown);
  const others =
    rows.length === 0
      ? []
      : await db
          .select({ id: feedItems.headlineId, by: feedItems.sourceId })
          .from(feedItems)
          .where(
            and(
              ne(feedItems.sourceId, id),
              inArray(
                feedItems.headlineId,
                rows.map((row) => row.id),
              ),
            ),
          );
  return [
    `${source.name} (${id})`,
    `  on: ${source.sections.map((section) => `/${section}`).join(", ")}`,
    `  state: ${source.state}${source.cause ? `: it ${source.cause}` : ""}`,
    `  last fetched ${time(source.lastTry)}, last success ${time(source.lastSuccess)}, next attempt ${time(source.nextTry)}`,
    `  items in its feed: ${source.items}`,
    "",
    rows.length === 0 ? "  No headlines from this source yet." : `  Its newest ${rows.length}:`,
    ...rows.map(({ id: headline, title, by, at }) => {
      const also = others.filter((other) => other.id === headline).map((other) => other.by);
      const joined =
        also.length > 0
          ? `\n      also published by ${also.join(", ")}${by === id ? "" : ` (first by ${by})`}`
          : "";
      return `    ${time(at)}  ${title}${joined}`;
    }),
  ];
}
