import { desc, eq, lt } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../../../db/client.ts";
import { daysBefore } from "../../lib/dates.ts";
import type { ActiveSource, SampleHeadlines } from "./files.server.ts";
import type { Headline } from "./model.ts";
import { headlines, sightings } from "./schema.server.ts";

/** More of one source are not even looked at. */
const lookedAtPerSource = 60;
export const mostShown = 40;

type Row = {
  id: number;
  sourceId: string;
  title: string;
  link: string;
  summary: string;
  shownAt: Date;
};

/** The newest headlines of some sources, each story once, no source too often. */
export async function selectHeadlines(
  db: Database,
  sources: ActiveSource[],
  { maxPerSource, places, timeZone }: { maxPerSource: number; places: string[]; timeZone: string },
): Promise<Headline[]> {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const isOurs = mentions(places);
  const rows = (await newest(db, [...byId.keys()])).filter(
    ({ sourceId, title, summary }) => !byId.get(sourceId)?.onlyPlaces || isOurs(`${title} ${summary}`),
  );
  const stories = [...Map.groupBy(rows, ({ id }) => id).values()].sort(
    ([a], [b]) => (b?.shownAt.getTime() ?? 0) - (a?.shownAt.getTime() ?? 0),
  );
  const taken = new Map<string, number>();
  const limit = byId.size > 1 ? maxPerSource : mostShown;
  return stories
    .flatMap(([first, ...others]): Headline[] => {
      const source = first && byId.get(first.sourceId);
      const before = taken.get(first?.sourceId ?? "") ?? 0;
      if (!first || !source || before >= limit) return [];
      taken.set(source.id, before + 1);
      const also = others.flatMap(({ sourceId, link }) => {
        const name = byId.get(sourceId)?.name;
        return name && sourceId !== first.sourceId ? [{ source: name, link }] : [];
      });
      return [
        {
          ...{ title: first.title, link: first.link, summary: first.summary },
          source: source.name,
          time: shownTime(first.shownAt, timeZone),
          also,
          paywall: source.paywall,
          isSample: false,
        },
      ];
    })
    .slice(0, mostShown);
}

/** Whether a text names one of our places, as a word of its own. */
export function mentions(places: string[]): (text: string) => boolean {
  if (places.length === 0) return () => false;
  const words = places.map((place) => place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
  return (text) => pattern.test(text);
}

/** Source by source, so that a busy one does not hide the others; newest first. */
async function newest(db: Database, sourceIds: string[]): Promise<Row[]> {
  const queries = sourceIds.map((sourceId) =>
    db
      .select({
        id: headlines.id,
        sourceId: sightings.sourceId,
        title: headlines.title,
        link: sightings.link,
        summary: headlines.summary,
        shownAt: sightings.shownAt,
      })
      .from(sightings)
      .innerJoin(headlines, eq(headlines.id, sightings.headlineId))
      .where(eq(sightings.sourceId, sourceId))
      .orderBy(desc(sightings.shownAt), desc(headlines.id))
      .limit(lookedAtPerSource),
  );
  const [first, second, ...others] = queries;
  if (!first) return [];
  const rows = second ? await unionAll(first, second, ...others) : await first;
  return rows.sort((a, b) => b.shownAt.getTime() - a.shownAt.getTime());
}

/** A week old and older: what the archive shows first. */
export async function keptHeadlines(
  db: Database,
  sources: ActiveSource[],
  now: Date,
  timeZone: string,
): Promise<Headline[]> {
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const rows = await db
    .select()
    .from(headlines)
    .where(lt(headlines.shownAt, daysBefore(now, 7)))
    .orderBy(desc(headlines.shownAt), desc(headlines.id))
    .limit(mostShown);
  return rows.map(({ title, link, summary, sourceId, shownAt }) => ({
    ...{ title, link, summary },
    source: names.get(sourceId) ?? new URL(link).hostname,
    time: shownTime(shownAt, timeZone),
    also: [],
    paywall: false,
    isSample: false,
  }));
}

/** What a fresh site shows of a feed until its sources have answered. */
export function sampleHeadlines(
  samples: SampleHeadlines,
  feedId: string,
  now: Date,
  timeZone: string,
): Headline[] {
  return (samples[feedId] ?? []).map(({ title, link, summary, source, hoursAgo }) => ({
    ...{ title, link, summary, source },
    time: shownTime(new Date(now.getTime() - hoursAgo * 3_600_000), timeZone),
    also: [],
    paywall: false,
    isSample: true,
  }));
}

export function shownTime(instant: Date, timeZone: string): { iso: string; shown: string } {
  const shown = new Intl.DateTimeFormat("en-US", {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone,
  }).format(instant);
  return { iso: instant.toISOString(), shown };
}
