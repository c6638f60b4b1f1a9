import { and, eq, inArray, ne } from "drizzle-orm";
import type { Database } from "../../../../db/database.ts";
import { causeTexts, type SourceHealth } from "../../../lib/external/source-visits.server.ts";
import { readVisitHealth } from "../../sources/visit-source.server.ts";
import { listActiveSources, type Sections, toDocumentId } from "../files.server.ts";
import { formatTime } from "../listing/select.server.ts";
import { feedItems, headlines, newestFirst } from "../schema.server.ts";

/** Returns the state of every source that we fetch, even if it was never fetched yet. */
export async function readSourceHealth(db: Database, sections: Sections): Promise<SourceHealth[]> {
  const sources = listActiveSources(sections);
  const documents = sources.map(({ id, name }) => ({
    id: toDocumentId(id),
    name,
    sections: findSections(sections, name),
  }));
  const health = await readVisitHealth(db, documents);
  return health.map((each, index) => ({ ...each, id: sources[index]?.id ?? each.id }));
}

const findSections = ({ sections }: Sections, source: string) =>
  Object.entries(sections)
    .filter(([, { feeds }]) =>
      Object.values(feeds).some(({ sources }) => sources.some(({ name }) => name === source)),
    )
    .map(([id]) => id);

const otherSections: Record<string, string> = {
  alerts: "Alerts",
  events: "Events",
  meetings: "Public meetings",
  weather: "Weather",
};

export const toStatusRows = (health: SourceHealth[], { sections }: Sections, timeZone: string) =>
  health.map(({ id, name, sections: ids, state, causeKey, lastSuccess }) => ({
    id,
    name,
    state,
    sections: ids
      .map((section) => sections[section]?.heading ?? otherSections[section] ?? section)
      .join(", "),
    lastSuccess: lastSuccess && formatTime(lastSuccess, timeZone, { withYear: true }).shown,
    // In status.json, programs find the cause itself, such as `blocked`.
    problem: causeKey && `It ${causeTexts[causeKey]}.`,
  }));

const maxHeadlines = 10;

/** Describes a source as lines of text. Null if the city has no such source. */
export async function explainSource(
  db: Database,
  sections: Sections,
  id: string,
  timeZone: string,
): Promise<string[] | null> {
  const source = (await readSourceHealth(db, sections)).find((each) => each.id === id);
  if (!source) return null;
  const formatInstant = (instant: Date | null) =>
    instant ? formatTime(instant, timeZone, { withYear: true }).shown : "never";
  const rows = await db
    .select({
      id: headlines.id,
      title: headlines.title,
      firstSourceId: headlines.sourceId,
      shownAt: feedItems.shownAt,
    })
    .from(feedItems)
    .innerJoin(headlines, eq(headlines.id, feedItems.headlineId))
    .where(eq(feedItems.sourceId, id))
    .orderBy(newestFirst(feedItems.shownAt))
    .limit(maxHeadlines);
  const headlineIds = rows.map((row) => row.id);
  const otherPublishers = await db
    .select({ headlineId: feedItems.headlineId, sourceId: feedItems.sourceId })
    .from(feedItems)
    .where(and(ne(feedItems.sourceId, id), inArray(feedItems.headlineId, headlineIds)));
  return [
    `${source.name} (${id})`,
    `  on: ${source.sections.map((section) => `/${section}`).join(", ")}`,
    `  state: ${source.state}${source.cause ? `: it ${source.cause}` : ""}`,
    `  last fetched ${formatInstant(source.lastTry)}, last success ${formatInstant(source.lastSuccess)}, next attempt ${formatInstant(source.nextTry)}`,
    `  items in its feed: ${source.items}`,
    "",
    rows.length === 0 ? "  No headlines from this source yet." : `  Its newest ${rows.length}:`,
    ...rows.map(({ id: headlineId, title, firstSourceId, shownAt }) => {
      const publishers = otherPublishers
        .filter((other) => other.headlineId === headlineId)
        .map((other) => other.sourceId);
      const publishersLine =
        publishers.length > 0
          ? `\n      also published by ${publishers.join(", ")}${firstSourceId === id ? "" : ` (first by ${firstSourceId})`}`
          : "";
      return `    ${formatInstant(shownAt)}  ${title}${publishersLine}`;
    }),
  ];
}
