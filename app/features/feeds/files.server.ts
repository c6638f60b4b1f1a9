import { z } from "zod";
import { image, text, webUrl } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";
import { defaultMaxItems, type Newsroom } from "./model.ts";

const source = z.strictObject({
  name: text,
  url: webUrl,
  /** Shown on /news too. */
  front: z.boolean().default(false),
  /** A source that mixes our news with the world's: only what names one of our places is taken. */
  onlyPlaces: z.boolean().default(false),
  /** Readers have to pay there. */
  paywall: z.boolean().default(false),
  /** The newsroom that readers find under the feed, if its name is not that of the source. */
  newsroom: text.optional(),
  /** The newsroom's front page, if it is not the start page of the feed's server. */
  home: webUrl.optional(),
  /** Not asked, and why. */
  off: text.optional(),
});

const feed = z.strictObject({
  title: text,
  description: text,
  /** Nothing or less stands for the usual number. */
  maxItems: z
    .int()
    .default(defaultMaxItems)
    .transform((number) => (number > 0 ? number : defaultMaxItems)),
  /** So many of one source at most, where there are several. */
  maxPerSource: z.int().positive().default(8),
  /** A widget of another service, shown in a frame instead of what `sources` bring. */
  feedUrl: webUrl.optional(),
  sources: z.array(source).default([]),
});

const section = z.strictObject({
  heading: text,
  intro: text,
  description: text,
  feeds: z.record(z.string().regex(/^[a-z]+$/, "must be a short word in small letters"), feed),
});

/** The sections of the site and where their headlines come from. */
export const sectionsFile = siteFile(
  "sections.yaml",
  z
    .strictObject({
      places: z.array(text),
      widgetPoster: image,
      sections: z.record(z.string(), section),
    })
    .superRefine(({ sections }, context) => {
      // Every page leads to the headlines and their archive, also in a city that has no source yet.
      for (const name of ["news", "archives"])
        if (!sections[name])
          context.addIssue({ code: "custom", path: ["sections", name], message: "is missing" });
      const seen = new Map<string, string>();
      for (const [name, { feeds }] of Object.entries(sections)) {
        for (const [id, { sources }] of Object.entries(feeds)) {
          for (const [index, { name: source, url }] of sources.entries()) {
            const before = seen.get(sourceId(source));
            seen.set(sourceId(source), url);
            if (before === undefined || before === url) continue;
            const message =
              "stands elsewhere in this file with another address: give it a name of its own";
            context.addIssue({
              code: "custom",
              message,
              path: ["sections", name, "feeds", id, "sources", index, "name"],
            });
          }
        }
      }
    }),
  { maxKilobytes: 128 },
);

export type Sections = ValueOf<typeof sectionsFile>;
type Section = Sections["sections"][string];
export type Feed = Section["feeds"][string];
type Source = Feed["sources"][number];

/** "The Baltimore Banner" is `the-baltimore-banner`. */
export const sourceId = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** What a feed shows until its first headlines arrive: our own writing, true on any day. */
export const goodToKnowFile = siteFile(
  "good-to-know.yaml",
  z.record(
    z.string(),
    z.array(
      z.strictObject({
        title: text,
        summary: text.max(200, "must have at most 200 characters"),
        link: z.union(
          [
            z.string().regex(/^\/(?!\/)\S*$/, "must be a page of this site"),
            z.strictObject({ name: text, url: webUrl }),
          ],
          "must be a page of this site, or the name and url of another",
        ),
      }),
    ),
  ),
  { maxKilobytes: 256 },
);

export type ActiveSource = Source & { id: string };

/**
 * Every source that is asked, once, wherever it stands. A feed that shows another service's widget
 * needs none.
 */
export function activeSources({ sections }: Sections): ActiveSource[] {
  const all = Object.values(sections)
    .flatMap(({ feeds }) => Object.values(feeds))
    .flatMap(({ sources, feedUrl }) => (feedUrl ? [] : sources))
    .filter(({ off }) => off === undefined)
    .map((source) => ({ ...source, id: sourceId(source.name) }));
  const byId = new Map<string, ActiveSource>();
  // A source that stands in several sections counts as it does where it is meant for /news.
  for (const source of all) if (source.front || !byId.has(source.id)) byId.set(source.id, source);
  return [...byId.values()];
}

/** The sources of one feed that are asked. */
export const activeSourcesOf = ({ sources }: Feed): ActiveSource[] =>
  sources
    .filter(({ off }) => off === undefined)
    .map((source) => ({ ...source, id: sourceId(source.name) }));

/** The newsrooms that publish these sources. One that has several sources counts once. */
export function newsroomsOf(sources: Source[]): Newsroom[] {
  const byName = new Map<string, Newsroom>();
  for (const { name, newsroom = name, url, home = new URL("/", url).href, paywall } of sources)
    if (!byName.has(newsroom)) byName.set(newsroom, { name: newsroom, url: home, paywall });
  return [...byName.values()];
}

export type NamedSource = { id: string; name: string; paywall: boolean };

/** Those that are no longer asked too: what they told once is still theirs. */
export const allSourcesOf = ({ feeds }: Section): NamedSource[] =>
  Object.values(feeds)
    .flatMap(({ sources }) => sources)
    .map(({ name, paywall }) => ({ id: sourceId(name), name, paywall }));
