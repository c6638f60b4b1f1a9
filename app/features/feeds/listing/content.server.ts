import { readSharedOr, type SharedRead } from "../../../../db/shared-reads.ts";
import { createMemo } from "../../../lib/memo.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { type Embeds, embedsFile } from "../../embeds/files.server.ts";
import { playerAllow, playerSandbox } from "../../embeds/model.ts";
import { sourceDocuments } from "../../sources/schema.server.ts";
import {
  type ActiveSource,
  type Feed,
  labelSources,
  listActiveSources,
  listFeedSources,
  listPublishers,
  listSectionSources,
  type Sections,
  sectionsFile,
  toDocumentId,
} from "../files.server.ts";
import {
  archiveSection,
  expandedParam,
  type FeedContent,
  type GoodToKnow,
  type Headline,
  newsSection,
  rotateDaily,
  withLimit,
} from "../model.ts";
import { readGoodToKnow } from "./good-to-know.server.ts";
import {
  formatTime,
  maxHeadlines,
  mergeItems,
  parseShownTime,
  pickHeadlines,
  readHeadlineStyle,
  readNewestItems,
  selectArchived,
} from "./select.server.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A feed with its name, and the name of its section, which decides what the feed contains. */
type SectionFeed = Feed & { id: string; section: string };

const listFeeds = ({ sections }: Sections, section: string): SectionFeed[] =>
  Object.entries(sections[section]?.feeds ?? {}).map(([id, feed]) => ({ ...feed, id, section }));

/** The browser loads a widget from the other service. Everything else in a feed comes from us. */
async function readFeed(services: PageServices, feed: SectionFeed, isExpanded: boolean) {
  const { id, title, description, maxItems } = feed;
  const sections = services.site.read(sectionsFile);
  const widget = toWidget(feed, sections, services.site.read(embedsFile));
  const sources = listSourcesFor(sections, feed);
  return {
    id,
    title,
    description,
    maxItems,
    isExpanded,
    publishers: widget ? [] : listPublishers(sources),
    shows: widget ?? (await readHeadlinesOrGoodToKnow(services, sections, feed, sources)),
  };
}

function toWidget(
  feed: Feed,
  { widgetPoster }: Sections,
  embeds: Embeds,
): FeedContent["shows"] | null {
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
      title,
      src: feedUrl,
      eager: embeds.eager,
      poster: widgetPoster,
      service: { key, name: service.name },
      noun: "the headlines",
      link: { label: `Read them at ${service.name}`, url: feedUrl },
      sandbox: playerSandbox,
      allow: playerAllow,
    },
  };
}

async function readHeadlinesOrGoodToKnow(
  services: PageServices,
  sections: Sections,
  feed: SectionFeed,
  sources: ActiveSource[],
): Promise<FeedContent["shows"]> {
  const headlines = await readHeadlines(services, sections, feed, sources);
  if (headlines.length > 0) {
    const lastUpdated = await findLastUpdate(services, sources);
    return { kind: "headlines", headlines, lastUpdated };
  }
  const { lists, today, signature } = await readGoodToKnow(services);
  const items = pickGoodToKnow(lists, feed, today);
  const reason = feed.section === archiveSection ? "none-old-enough" : "none-yet";
  return { kind: "good-to-know", items, signature, reason };
}

/**
 * Returns the good-to-know items of a day. /news has two items from every list and begins with a
 * different list each day.
 */
function pickGoodToKnow(
  lists: Record<string, GoodToKnow[]>,
  { id, section, maxItems }: SectionFeed,
  day: string,
): GoodToKnow[] {
  if (section !== newsSection) return rotateDaily(lists[id] ?? [], day, maxItems);
  const rotated = rotateDaily(Object.values(lists), day, maxItems).map((items) =>
    rotateDaily(items, day, 2),
  );
  return [0, 1].flatMap((index) => rotated.flatMap((items) => items.slice(index, index + 1)));
}

/** A feed of /news uses the sources of all sections with `front`. */
function listSourcesFor(sections: Sections, feed: SectionFeed): ActiveSource[] {
  return feed.section === newsSection
    ? listActiveSources(sections).filter(({ front }) => front)
    : listFeedSources(feed);
}

const headlinesOfFeeds = createMemo<Headline[]>();

async function readHeadlines(
  { db, site, clock, tags }: PageServices,
  file: Sections,
  { id, section, maxPerSource }: SectionFeed,
  sources: ActiveSource[],
): Promise<Headline[]> {
  const style = readHeadlineStyle(site);
  if (section === archiveSection) {
    for (const source of sources) tags.add(cacheTags.source(source.id));
    const allSources = Object.values(file.sections).flatMap(listSectionSources);
    return selectArchived(db, allSources, clock(), style);
  }
  const lists = await readNewestItems({ db, tags }, sources);
  return headlinesOfFeeds(`${section}/${id}`, [style, ...lists], () => {
    const labels = section === newsSection ? labelSources(file) : undefined;
    const selection = { ...style, maxPerSource, labels };
    return pickHeadlines(mergeItems(lists), sources, selection);
  });
}

/** When each source was last fetched. Nothing is purged then, so it can be some minutes old. */
export const lastFetches: SharedRead<ReadonlyMap<string, Date | null>> = {
  name: "last fetches",
  tags: [cacheTags.headlines],
  async load(db) {
    const { id, lastSuccessAt } = sourceDocuments;
    const rows = await db.select({ id, lastSuccessAt }).from(sourceDocuments);
    return new Map(rows.map((row) => [row.id, row.lastSuccessAt]));
  },
};

/** Returns when we last fetched one of the sources if that is more than a day ago, or null. */
async function findLastUpdate(
  { db, site, clock }: Pick<PageServices, "db" | "site" | "clock">,
  sources: ActiveSource[],
) {
  const fetches = await readSharedOr(db, lastFetches, new Map());
  const times = sources.flatMap(({ id }) => fetches.get(toDocumentId(id))?.getTime() ?? []);
  const last = new Date(Math.max(...times));
  if (times.length === 0 || clock().getTime() - last.getTime() <= dayMs) return null;
  return formatTime(last, site.read(siteSettingsFile).timeZone, { withYear: true }).shown;
}

/** Returns the feed that the query expands, or null if there is no such feed. */
export function findExpandedFeed(
  { site }: Pick<Services, "site">,
  id: string,
  query: URLSearchParams,
) {
  const feedId = query.get(expandedParam) ?? "";
  return Object.hasOwn(site.read(sectionsFile).sections[id]?.feeds ?? {}, feedId) ? feedId : null;
}

export async function readSection(services: PageServices, id: string, expandedFeed: string | null) {
  const file = services.site.read(sectionsFile);
  const section = file.sections[id];
  if (!section) return null;
  const { heading, intro, description } = section;
  return {
    head: { heading, intro, description },
    feeds: await Promise.all(
      listFeeds(file, id).map((feed) => readFeed(services, feed, feed.id === expandedFeed)),
    ),
  };
}

/** Headlines as one list, with the texts and the page of the section that they belong to. */
export type SectionHeadlines = {
  title: string;
  description: string;
  page: string;
  headlines: Headline[];
};

/**
 * Returns the headlines of a section or of one feed as one list, or null if neither exists. RSS
 * feeds, our widget and the newsletter use this list, because they show no good-to-know items.
 */
export async function readHeadlineList(
  services: PageServices,
  name: string,
): Promise<SectionHeadlines | null> {
  const file = services.site.read(sectionsFile);
  const { sections } = file;
  const isSection = Object.hasOwn(sections, name);
  const all = Object.keys(sections).flatMap((id) => listFeeds(file, id));
  const sectionId = isSection ? name : all.find(({ id }) => id === name)?.section;
  const section = sections[sectionId ?? ""];
  if (!sectionId || !section) return null;
  const feeds = all.filter((feed) => feed.section === sectionId && (isSection || feed.id === name));
  const lists = await Promise.all(
    feeds
      .filter((feed) => toWidget(feed, file, services.site.read(embedsFile)) === null)
      .map((feed) => readHeadlines(services, file, feed, listSourcesFor(file, feed))),
  );
  // Two feeds of one section may have the same headline.
  const headlines = [...new Map(lists.flat().map((headline) => [headline.id, headline])).values()]
    .sort((a, b) => parseShownTime(b.time.iso).getTime() - parseShownTime(a.time.iso).getTime())
    .slice(0, maxHeadlines);
  const title = isSection ? section.heading : (feeds[0]?.title ?? section.heading);
  return { title, description: section.description, page: `/${sectionId}`, headlines };
}
