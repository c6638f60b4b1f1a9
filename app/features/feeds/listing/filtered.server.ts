import { daysBefore } from "../../../lib/dates.ts";
import { toQueryString } from "../../../lib/links/query.ts";
import type { PageServices, Services } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import type { Neighborhood } from "../../places/files.server.ts";
import { createPlaceMatcher } from "../../places/match.server.ts";
import { placeDays } from "../../places/model.ts";
import {
  type ActiveSource,
  listFeedSources,
  listPublishers,
  sectionsFile,
} from "../files.server.ts";
import { archiveSection, type FeedContent, localSection } from "../model.ts";
import type { ArchiveFilter } from "./archive.server.ts";
import { readHeadlineList, type SectionHeadlines } from "./content.server.ts";
import {
  maxHeadlines,
  mergeItems,
  pickHeadlines,
  readHeadlineStyle,
  readItemsAbout,
  readNewestItems,
} from "./select.server.ts";

/** A newsroom may name all neighborhoods in every headline, and must not crowd out the others. */
const maxPerSourceAbout = 10;

/** Which headlines of a section a feed or a widget contains. */
type HeadlineFilter = { place: Neighborhood | null; source: string | null };

/**
 * Returns the headlines of a section, or only those about a neighborhood or of one source. Null if
 * the section, or the source in this section, does not exist. Only local headlines can be selected
 * by neighborhood: elsewhere "Canton" is in Ohio or in China.
 */
export async function listSelectedHeadlines(
  services: PageServices,
  name: string,
  { place, source: sourceId }: HeadlineFilter,
): Promise<SectionHeadlines | null> {
  if (place) return name === localSection ? await listHeadlinesAbout(services, place) : null;
  if (sourceId === null) return readHeadlineList(services, name);
  const source = listFollowableSources(services, name).find(({ id }) => id === sourceId);
  if (!source) return null;
  const selection = { ...readHeadlineStyle(services.site), maxPerSource: maxHeadlines };
  const items = mergeItems(await readNewestItems(services, [source]));
  return {
    title: source.name,
    description: `The newest headlines from ${source.name}.`,
    page: `/archives?source=${source.id}`,
    headlines: pickHeadlines(items, [source], selection),
  };
}

/** The sources of a section that are not switched off, also those of feeds with a widget. */
const listFollowableSources = ({ site }: Pick<Services, "site">, name: string): ActiveSource[] => {
  const section = site.read(sectionsFile).sections[name];
  return Object.values(section?.feeds ?? {}).flatMap(listFeedSources);
};

/**
 * What can be followed from a page of the archive: the chosen source, the section, or the archive.
 */
export function findFollowed(
  { site }: Pick<Services, "site">,
  { section, source: sourceId }: Pick<ArchiveFilter, "section" | "source">,
  heading: string,
) {
  const { sections } = site.read(sectionsFile);
  const toFollowed = (name: string, title: string, source: string | null) => {
    const query = toQueryString({ source });
    return {
      title,
      feed: { path: `/feeds/${name}`, query },
      widget: `/embed/feeds/${name}${query}`,
    };
  };
  for (const name of Object.keys(sections)) {
    const source = listFollowableSources({ site }, name).find(({ id }) => id === sourceId);
    if (source) return toFollowed(name, source.name, source.id);
  }
  return toFollowed(section ?? archiveSection, sections[section ?? ""]?.heading ?? heading, null);
}

async function readHeadlinesAbout(services: PageServices, place: Neighborhood) {
  const { db, site, clock, tags } = services;
  // A headline that names a neighborhood of the city need not name the city too.
  const sources = listFollowableSources(services, localSection).map((each) => ({
    ...each,
    onlyPlaces: false,
  }));
  for (const { id } of sources) tags.add(cacheTags.source(id));
  const items = await readItemsAbout(db, sources, place.words, daysBefore(clock(), placeDays));
  const isAbout = createPlaceMatcher(place);
  return pickHeadlines(
    items.filter(({ title, summary }) => isAbout([title, summary])),
    sources,
    { ...readHeadlineStyle(site), maxPerSource: maxPerSourceAbout },
  );
}

const describePlace = ({ name }: Neighborhood, heading: string) => ({
  heading: `${heading} from ${name}`,
  intro: `Headlines that name ${name} in the last ${placeDays} days, our own stories about it, and what is on there.`,
  description: `News from ${name}: headlines of other newsrooms, stories of our own and events in the neighborhood.`,
});

async function listHeadlinesAbout(services: PageServices, place: Neighborhood) {
  const section = services.site.read(sectionsFile).sections[localSection];
  if (!section) return null;
  const { heading, description } = describePlace(place, section.heading);
  const headlines = await readHeadlinesAbout(services, place);
  return { title: heading, description, page: `/${localSection}?place=${place.slug}`, headlines };
}

/** What the local section shows about a neighborhood. Null if the city has no local section. */
export async function readPlaceSection(
  services: PageServices,
  place: Neighborhood,
  expandedFeed: string | null,
) {
  const section = services.site.read(sectionsFile).sections[localSection];
  const [id, feed] = Object.entries(section?.feeds ?? {})[0] ?? [];
  if (!section || id === undefined || !feed) return null;
  const headlines = await readHeadlinesAbout(services, place);
  const shown: FeedContent = {
    id,
    title: `${place.name} in the headlines`,
    description: `The last ${placeDays} days, from the newsrooms that cover the city.`,
    maxItems: feed.maxItems,
    isExpanded: id === expandedFeed,
    publishers: listPublishers(listFollowableSources(services, localSection)),
    shows:
      headlines.length > 0
        ? { kind: "headlines", headlines, lastUpdated: null }
        : { kind: "good-to-know", items: [], signature: "", reason: "none-about-place" },
  };
  const { heading } = section;
  return { head: describePlace(place, heading), sectionHeading: heading, feeds: [shown] };
}
