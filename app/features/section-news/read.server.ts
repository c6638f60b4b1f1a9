import type { PageServices } from "../../platform/services.ts";
import type { SectionPosts } from "../blog/model.ts";
import { readPostsAbout, readSectionPosts } from "../blog/posts/published.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { eventsFile } from "../events/files.server.ts";
import type { CityEvent } from "../events/listing/city-event.ts";
import { readComingEvents } from "../events/listing/coming.server.ts";
import { eventsPath, type Filter, noFilter, type WallItem } from "../events/model.ts";
import { listCategories, sectionsFile } from "../feeds/files.server.ts";
import { readSection } from "../feeds/listing/content.server.ts";
import { readPlaceSection } from "../feeds/listing/filtered.server.ts";
import { type FeedContent, localSection } from "../feeds/model.ts";
import type { Neighborhood } from "../places/files.server.ts";
import { createPlaceMatcher } from "../places/match.server.ts";
import type { Place } from "../places/model.ts";
import type { StoryCard } from "../stories/model.ts";
import { readNewsroomBlock, readPlaceBlock } from "../stories/stories.server.ts";

const columnCount = 3;

type SectionEvents = {
  /** What the events have in common, such as "Food events". */
  label: string;
  items: WallItem[];
  /** Selects more events of the same kind on the events page. */
  filter: Filter;
};

type SectionNews = {
  head: { heading: string; intro: string; description: string };
  feeds: FeedContent[];
  stories: StoryCard[];
  posts: SectionPosts;
  events: SectionEvents;
  /** The neighborhood that everything is about, and the heading of the whole section. */
  about: { place: Place; sectionHeading: string; isEmpty: boolean } | null;
};

/** Reads what the page of a section shows. Null if the city does not have the section. */
export async function readSectionNews(
  services: PageServices,
  name: string,
  expandedFeed: string | null,
): Promise<SectionNews | null> {
  const categories = listCategories(services.site.read(sectionsFile).sections, name);
  const [section, stories, posts, events] = await Promise.all([
    readSection(services, name, expandedFeed),
    readNewsroomBlock(services, name),
    readSectionPosts(services, categories, columnCount),
    readSectionEvents(services, name),
  ]);
  if (!section) return null;
  return { ...section, stories, posts, events, about: null };
}

/** The next events of the section's categories or, if there are none, of the city. */
async function readSectionEvents(services: PageServices, name: string): Promise<SectionEvents> {
  const { site } = services;
  const { sections } = site.read(sectionsFile);
  const names = listCategories(sections, name).map((category) => category.toLowerCase());
  const known = site.hasPage(eventsPath) ? site.read(eventsFile).categories : [];
  const categories = known
    .map((category) => category.name)
    .filter((category) => names.includes(category.toLowerCase()));
  const [category = null, ...otherCategories] = categories;
  // All events are local.
  if (category !== null && name !== localSection) {
    const isOfSection = (event: CityEvent) => categories.includes(event.category);
    const items = await readComingEvents(services, noFilter, columnCount, isOfSection);
    const filter = otherCategories.length > 0 ? noFilter : { ...noFilter, category };
    if (items.length > 0) return { label: `${sections[name]?.heading} events`, items, filter };
  }
  const items = await readComingEvents(services, noFilter, columnCount);
  return { label: `Events in ${site.read(siteSettingsFile).city}`, items, filter: noFilter };
}

/** Reads the local news about a neighborhood. Null if the city has no section of local news. */
export async function readPlaceNews(
  services: PageServices,
  { slug, name, ...words }: Neighborhood,
  expandedFeed: string | null,
): Promise<SectionNews | null> {
  const place = { slug, name };
  const filter = { ...noFilter, place };
  const isAbout = createPlaceMatcher(words);
  const [section, stories, posts, items] = await Promise.all([
    readPlaceSection(services, { ...place, ...words }, expandedFeed),
    readPlaceBlock(services, isAbout),
    readPostsAbout(services, isAbout, columnCount),
    readComingEvents(services, filter, columnCount),
  ]);
  if (!section) return null;
  const { head, feeds, sectionHeading } = section;
  const isEmpty =
    feeds.every(({ shows }) => shows.kind !== "headlines") &&
    [stories, posts.posts, items].every(({ length }) => length === 0);
  const about = { place, sectionHeading, isEmpty };
  const events = { label: `Events in ${name}`, items, filter };
  return { head, feeds: isEmpty ? [] : feeds, stories, posts, events, about };
}
