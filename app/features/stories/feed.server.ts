import { findAvailable } from "../../lib/images/art.ts";
import type { FeedExtension } from "../../lib/links/feed-formats.ts";
import {
  articleHtml,
  type FeedEntry,
  feedResponse,
  imageHtml,
} from "../../lib/links/feed-response.server.ts";
import { toQueryString } from "../../lib/links/query.ts";
import type { PageServices } from "../../platform/services.ts";
import { type SiteSettings, siteSettingsFile } from "../brand/files.server.ts";
import { storyListsFile } from "./files.server.ts";
import { isIn } from "./listing/list.server.ts";
import { storyListPath } from "./listing/list.ts";
import { storyFeedPath, storyPath } from "./model.ts";
import { datesOf, type StoryRecord } from "./record.server.ts";
import { readStoriesAbout, readStoriesOrSamples } from "./stories.server.ts";

const maxEntries = 20;

/**
 * Returns null if there is no such category. A feed never contains samples, not even if there are
 * no other stories, because feed readers and other sites keep what it once contained.
 */
export async function storyFeed(
  services: PageServices,
  extension: FeedExtension,
  category: string | null = null,
): Promise<Response | null> {
  const settings = services.site.read(siteSettingsFile);
  const { heading } = services.site.read(storyListsFile).stories;
  const now = services.clock();
  const stories = (await readStoriesOrSamples(services)).filter(isIn({ category }));
  const [newest] = stories;
  if (category !== null && !newest) return null;
  const entries = stories
    .filter(({ isSample }) => !isSample)
    .slice(0, maxEntries)
    .map((record) => toFullEntry(record, settings, now));
  return feedResponse(
    extension,
    {
      title: [
        [heading, category && newest?.category].filter(Boolean).join(": "),
        settings.name,
      ].join(" | "),
      description: `The newest stories from ${settings.name}, with their full text.`,
      origin: settings.origin,
      page: storyListPath({ category }),
      path: storyFeedPath,
      query: toQueryString({ category }),
      now,
    },
    entries,
  );
}

/** The stories about a subject as entries of another feed, without their full text. */
export async function storyEntriesAbout(
  services: PageServices,
  isAbout: (texts: string[]) => boolean,
): Promise<FeedEntry[]> {
  const settings = services.site.read(siteSettingsFile);
  const records = await readStoriesAbout(services, isAbout);
  return records
    .filter(({ isSample }) => !isSample)
    .slice(0, maxEntries)
    .map((record) => toEntry(record, settings, services.clock()));
}

function toEntry(record: StoryRecord, settings: SiteSettings, now: Date): FeedEntry {
  const { origin, name, timeZone } = settings;
  const link = storyPath(record.slug);
  const { modifiedAt } = datesOf(record, timeZone, now);
  return {
    id: origin + link,
    title: record.title,
    link,
    summary: record.excerpt,
    category: record.category,
    publishedAt: record.publishedAt,
    updatedAt: modifiedAt > record.dueAt ? latest(modifiedAt, record.publishedAt) : undefined,
    authors: record.authors.length > 0 ? record.authors : [record.isFromReader ? aReader : name],
  };
}

/** A file says only on which day it changed, so the change may seem to be older than the story. */
const latest = (one: Date, other: Date) => (one > other ? one : other);

function toFullEntry(record: StoryRecord, settings: SiteSettings, now: Date): FeedEntry {
  const { corrections } = datesOf(record, settings.timeZone, now);
  const note = record.isFromReader ? "<p><em>A story from one of our readers.</em></p>\n" : "";
  const others = record.moreImages.map((image) => `\n<p>${imageHtml(image)}</p>`);
  const image = findAvailable(record.image);
  const html = [note, record.html, ...others].join("");
  return {
    ...toEntry(record, settings, now),
    html: articleHtml({ image, html, corrections }, settings.origin),
  };
}

const aReader = "One of our readers";
