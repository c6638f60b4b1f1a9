import { gt, inArray, max } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import type { Clock } from "../../lib/dates.ts";
import type { SiteReader } from "../../lib/site-file.server.ts";
import { type Embeds, embedsFile } from "../embeds/files.server.ts";
import { playerAllow, playerSandbox } from "../embeds/model.ts";
import {
  type ActiveSource,
  activeSources,
  everySource,
  type Feed,
  type SampleHeadlines,
  type Sections,
  sampleHeadlinesFile,
  sectionsFile,
  sourcesOf,
} from "./files.server.ts";
import { type FeedContent, type Headline, withLimit } from "./model.ts";
import { feedSources } from "./schema.server.ts";
import { keptHeadlines, mostShown, sampleHeadlines, selectHeadlines, shownTime } from "./select.server.ts";
import { sourceTag } from "./store.server.ts";

export type Reading = {
  db: Database;
  site: SiteReader;
  clock: Clock;
  timeZone: string;
  tags: { add(tag: string): void };
};

/** The feed of the page that shows the best of all sections, and that of the page that looks back. */
export const newsFeed = "news";
export const archiveFeed = "archives";

const dayMs = 24 * 60 * 60 * 1000;

/** All that a feed shows. A widget is asked for by the reader's browser; everything else is ours. */
export async function feedContent(
  reading: Reading,
  id: string,
  feed: Feed,
  isExpanded: boolean,
): Promise<FeedContent> {
  const { title, description, maxItems } = feed;
  const sections = reading.site.read(sectionsFile);
  const shows =
    widgetOf(feed, sections, reading.site.read(embedsFile)) ??
    (await headlinesOf(reading, sections, id, feed));
  return { id, title, description, maxItems, isExpanded, shows };
}

function widgetOf(feed: Feed, { widgetPoster }: Sections, embeds: Embeds): FeedContent["shows"] | null {
  const { feedUrl, title, maxItems } = feed;
  if (feedUrl === undefined) return null;
  const { origin } = new URL(feedUrl);
  const [key, service] =
    Object.entries(embeds.services).find(([, { hosts }]) => hosts.includes(origin)) ?? [];
  if (!key || !service) return null;
  return {
    kind: "widget",
    limitedSrc: withLimit(feedUrl, maxItems),
    embed: {
      ...{ title, src: feedUrl, eager: embeds.eager, poster: widgetPoster },
      service: { key, name: service.name },
      thing: "the headlines",
      link: { label: `Read them at ${service.name}`, url: feedUrl },
      sandbox: playerSandbox,
      allow: playerAllow,
    },
  };
}

async function headlinesOf(
  reading: Reading,
  sections: Sections,
  id: string,
  feed: Feed,
): Promise<FeedContent["shows"]> {
  const sources = sourcesFor(sections, id, feed);
  const { headlines, asOf } = await currentHeadlines(reading, sections, id, feed, sources);
  return { kind: "headlines", headlines, asOf };
}

/** The front page of headlines draws on every section's best source. */
function sourcesFor(sections: Sections, id: string, feed: Feed): ActiveSource[] {
  return id === newsFeed ? activeSources(sections).filter(({ front }) => front) : sourcesOf(feed);
}

async function currentHeadlines(
  { db, site, clock, timeZone, tags }: Reading,
  { places, sections }: Sections,
  id: string,
  { maxPerSource }: Feed,
  sources: ActiveSource[],
): Promise<{ headlines: Headline[]; asOf: string | null }> {
  for (const source of sources) tags.add(sourceTag(source.id));
  const now = clock();
  const real =
    id === archiveFeed
      ? await keptHeadlines(db, Object.values(sections).flatMap(everySource), now, timeZone)
      : await selectHeadlines(db, sources, { maxPerSource, places, timeZone });
  if (real.length > 0) return { headlines: real, asOf: await lastAnswer(db, sources, now, timeZone) };
  const samples = site.read(sampleHeadlinesFile);
  const all = id === newsFeed ? Object.keys(samples) : [id];
  const headlines = all
    .flatMap((name) =>
      sampleHeadlines(samples, name, now, timeZone).slice(0, id === newsFeed ? 2 : undefined),
    )
    .sort((a, b) => b.time.iso.localeCompare(a.time.iso))
    .slice(0, mostShown);
  return { headlines, asOf: null };
}

async function lastAnswer(
  db: Database,
  sources: ActiveSource[],
  now: Date,
  timeZone: string,
): Promise<string | null> {
  if (sources.length === 0) return null;
  const ids = sources.map(({ id }) => id);
  const [row] = await db
    .select({ at: max(feedSources.goodAt) })
    .from(feedSources)
    .where(inArray(feedSources.id, ids));
  return row?.at && now.getTime() - row.at.getTime() > dayMs ? shownTime(row.at, timeZone, true).shown : null;
}

/** A section's page: its words, its feeds, and who stands behind them. Null for a section the city does not have. */
export async function sectionContent(reading: Reading, id: string, expandedFeed: string | null) {
  const sections = reading.site.read(sectionsFile);
  const section = sections.sections[id];
  if (!section) return null;
  const { heading, intro, description, feeds } = section;
  const entries = Object.entries(feeds);
  const sources = entries.flatMap(([feedId, feed]) => sourcesFor(sections, feedId, feed));
  const unique = [...new Map(sources.map((source) => [source.id, source])).values()];
  return {
    head: { heading, intro, description },
    feeds: await Promise.all(
      entries.map(([feedId, feed]) => feedContent(reading, feedId, feed, feedId === expandedFeed)),
    ),
    sources: unique.map(({ name, paywall }) => ({ name, paywall })),
  };
}

/** The headlines of a whole section, or of one feed, as one list; null where there is neither. */
export async function listedHeadlines(
  reading: Reading,
  name: string,
): Promise<{ title: string; description: string; page: string; headlines: Headline[] } | null> {
  const { sections } = reading.site.read(sectionsFile);
  const [sectionId, section] =
    Object.entries(sections).find(([id, { feeds }]) => id === name || Object.hasOwn(feeds, name)) ?? [];
  if (!sectionId || !section) return null;
  const feed = section.feeds[name];
  const feeds = sectionId === name ? Object.entries(section.feeds) : feed ? [[name, feed] as const] : [];
  const contents = await Promise.all(feeds.map(([id, each]) => feedContent(reading, id, each, true)));
  const all = contents.flatMap(({ shows }) => (shows.kind === "headlines" ? shows.headlines : []));
  // A story may stand in two feeds of one section.
  const headlines = [...new Map(all.map((headline) => [headline.id, headline])).values()]
    .sort((a, b) => b.time.iso.localeCompare(a.time.iso))
    .slice(0, mostShown);
  const title = sectionId === name ? section.heading : (feed?.title ?? section.heading);
  return { title, description: section.description, page: `/${sectionId}`, headlines };
}

type Sample = SampleHeadlines[string][number] & { feed: string };

/** The samples that readers see at the moment: those of feeds whose sources have not told anything yet. */
export async function shownSamples({ db, site }: Pick<Reading, "db" | "site">): Promise<Sample[]> {
  const samples = site.read(sampleHeadlinesFile);
  const { sections } = site.read(sectionsFile);
  const rows = await db.select({ id: feedSources.id }).from(feedSources).where(gt(feedSources.items, 0));
  const told = new Set(rows.map(({ id }) => id));
  return Object.values(sections)
    .flatMap(({ feeds }) => Object.entries(feeds))
    .filter(([id, feed]) =>
      // The archive has no source of its own, and something to show as soon as any has told something.
      id === archiveFeed ? told.size === 0 : !sourcesOf(feed).some((source) => told.has(source.id)),
    )
    .flatMap(([feed]) => (samples[feed] ?? []).map((sample) => ({ ...sample, feed })));
}
