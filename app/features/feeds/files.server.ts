import { z } from "zod";
import { didYouMean } from "../../lib/text/nearest.ts";
import { toSlug } from "../../lib/text/slug.ts";
import { image, text, webUrl } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import {
  archiveSection,
  defaultMaxItems,
  localSection,
  newsSection,
  type Publisher,
  sectionNames,
} from "./model.ts";

const source = z.strictObject({
  name: text,
  url: webUrl,
  /** Whether its headlines appear in the merged feed of /news. */
  front: z.boolean().default(false),
  /** Shows only headlines with one of the `places`, for a source that also covers other cities. */
  onlyPlaces: z.boolean().default(false),
  paywall: z.boolean().default(false),
  /** The name of the newsroom in the list under the feed, if it differs from that of the source. */
  newsroom: text.optional(),
  /** The newsroom's home page, if it is not the root page of the feed's server. */
  home: webUrl.optional(),
  /** Why we do not fetch this source at the moment. */
  off: text.optional(),
});

const feed = z.strictObject({
  title: text,
  description: text,
  /** The maximum number of headlines. A value of zero or less means the default. */
  maxItems: z
    .int()
    .default(defaultMaxItems)
    .transform((value) => (value > 0 ? value : defaultMaxItems)),
  /** The maximum number of headlines from one source, if the feed has several sources. */
  maxPerSource: z.int().positive().default(8),
  /** Another service's widget, shown in a frame instead of the headlines of `sources`. */
  feedUrl: webUrl.optional(),
  sources: z.array(source).default([]),
});

const section = z.strictObject({
  heading: text,
  intro: text,
  description: text,
  /**
   * The page shows our stories whose category is one of these, or the section's name or heading.
   */
  categories: z.array(text).default([]),
  feeds: z.record(z.string().regex(/^[a-z]+$/, "must be one word of lowercase letters"), feed),
});

/** The sections that show the headlines of all other sections. Our stories belong to the others. */
export const mixedSections = [newsSection, archiveSection];
const requiredSections = [...mixedSections, localSection];

export const sectionsFile = siteFile(
  "sections.yaml",
  z
    .strictObject({
      places: z.array(text),
      widgetPoster: image,
      sections: z.record(z.string(), section),
    })
    .superRefine(({ sections }, context) => {
      // Many pages link to these, even in a city that has no source yet.
      for (const name of requiredSections)
        if (!sections[name])
          context.addIssue({ code: "custom", path: ["sections", name], message: "is missing" });
      const known = [...mixedSections, ...sectionNames];
      for (const name of Object.keys(sections))
        if (!known.includes(name)) {
          const message = `is not a section that a city can have${didYouMean(name, known) || `. It can have ${known.join(", ")}`}`;
          context.addIssue({ code: "custom", path: ["sections", name], message });
        }
      const urlsById = new Map<string, string>();
      for (const [name, { feeds }] of Object.entries(sections)) {
        for (const [id, { sources }] of Object.entries(feeds)) {
          for (const [index, { name: source, url }] of sources.entries()) {
            const previousUrl = urlsById.get(toSourceId(source));
            urlsById.set(toSourceId(source), url);
            if (previousUrl === undefined || previousUrl === url) continue;
            const message =
              "is used elsewhere in this file with a different URL: choose another name";
            context.addIssue({
              code: "custom",
              message,
              path: ["sections", name, "feeds", id, "sources", index, "name"],
            });
          }
        }
      }
    }),
  { maxKilobytes: 128, absent: ({ sections }) => sectionNames.filter((name) => !sections[name]) },
);

export type Sections = ValueOf<typeof sectionsFile>;
type Section = Sections["sections"][string];
export type Feed = Section["feeds"][string];
type Source = Feed["sources"][number];

export function listCategories(sections: Sections["sections"], name: string): string[] {
  const { heading = name, categories = [] } = sections[name] ?? {};
  return [...new Set([name, heading, ...categories])];
}

/** Finds the section whose page shows the stories of a category. Upper case does not matter. */
export function findCategorySection({ sections }: Sections, category: string) {
  for (const [name, section] of Object.entries(sections)) {
    if (mixedSections.includes(name)) continue;
    const categories = listCategories(sections, name);
    if (categories.some((each) => each.toLowerCase() === category.toLowerCase()))
      return { path: `/${name}`, heading: section.heading, categories };
  }
  return null;
}

/**
 * The name of a category as the desk lists it, for one that somebody typed. Where files may also say
 * "Local", for the section at /local, this is the heading of that section.
 */
export function findCategory(sections: Sections, typed: string): string | undefined {
  const section = findCategorySection(sections, typed);
  const [, ...listed] = section?.categories ?? [];
  const isTyped = (name: string) => name.toLowerCase() === typed.toLowerCase();
  return listed.find(isTyped) ?? section?.heading;
}

/** "The City Paper" has the id `the-city-paper`. */
export const toSourceId = toSlug;

/** The id of a source's feed among the documents of all other servers. */
export const toDocumentId = (sourceId: string) => `feeds:${sourceId}`;

const goodToKnow = siteFile(
  "good-to-know.yaml",
  z.record(
    z.string(),
    z.array(
      z.strictObject({
        title: text,
        summary: text.max(200, "must have at most 200 characters"),
        link: z.union(
          [
            z.string().regex(/^\/(?!\/)\S*$/, "must be the path of a page of this site"),
            z.strictObject({ name: text, url: webUrl }),
          ],
          "must be the path of a page of this site, or the name and url of another site",
        ),
      }),
    ),
  ),
  { maxKilobytes: 256 },
);

/**
 * Short entries that editors write and that do not go out of date. A feed shows them until its
 * first headlines arrive.
 */
export const goodToKnowFile: SiteFile<ValueOf<typeof goodToKnow>> = {
  ...goodToKnow,
  whenMissing: { value: {}, effect: "a feed is empty until its first headlines arrive" },
};

/** A source that is not switched off. */
export type ActiveSource = Source & { id: string };

/** Returns every source that we fetch. A source that several sections have is listed once. */
export function listActiveSources({ sections }: Sections): ActiveSource[] {
  const byId = new Map<string, ActiveSource>();
  // If several sections have the source, the entry with `front: true` is used.
  for (const source of Object.values(sections).flatMap(listActiveSourcesOf))
    if (source.front || !byId.has(source.id)) byId.set(source.id, source);
  return [...byId.values()];
}

/** Leaves out the sources of feeds that show a widget of another service: we do not fetch them. */
export const listActiveSourcesOf = ({ feeds }: Section): ActiveSource[] =>
  Object.values(feeds).flatMap((feed) => (feed.feedUrl === undefined ? listFeedSources(feed) : []));

/** How a list names a section: "World" for World News. */
export const sectionLabel = ({ heading }: Section): string => heading.replace(/ News$/, "");

/**
 * Returns the label of each source that is not local, such as "World" for the sources of World
 * News. A source that several sections have gets the label of the first.
 */
export function labelSources({ sections }: Sections): Map<string, string> {
  const labels = new Map<string, string>();
  for (const section of Object.values(sections))
    for (const { id } of listSectionSources(section))
      if (!labels.has(id)) labels.set(id, sectionLabel(section));
  const local = sections[localSection];
  for (const { id } of local ? listSectionSources(local) : []) labels.delete(id);
  return labels;
}

/** Sources that are switched off (`off`) are left out. */
export const listFeedSources = ({ sources }: Feed): ActiveSource[] =>
  sources
    .filter(({ off }) => off === undefined)
    .map((source) => ({ ...source, id: toSourceId(source.name) }));

/** A publisher with several sources is listed once. */
export function listPublishers(sources: Source[]): Publisher[] {
  const byName = new Map<string, Publisher>();
  for (const { name, newsroom = name, url, home = new URL("/", url).href, paywall } of sources)
    if (!byName.has(newsroom))
      byName.set(newsroom, { name: newsroom, url: home, paywall, sourceId: toSourceId(name) });
  return [...byName.values()];
}

export type NamedSource = { id: string; name: string; paywall: boolean };

/** Includes sources that are switched off, because their old headlines still show their names. */
export const listSectionSources = ({ feeds }: Section): NamedSource[] =>
  Object.values(feeds)
    .flatMap(({ sources }) => sources)
    .map(({ name, paywall }) => ({ id: toSourceId(name), name, paywall }));
