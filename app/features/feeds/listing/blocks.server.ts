import { createMemo } from "../../../lib/memo.ts";
import type { PageServices } from "../../../platform/services.ts";
import { listActiveSourcesOf, sectionLabel, sectionsFile } from "../files.server.ts";
import {
  type FeedContent,
  type Headline,
  type HeadlineBlock,
  localSection,
  type Report,
  rotateDaily,
  type ShortList,
  sectionNames,
} from "../model.ts";
import { createStoryMatcher, similarTitleWindowMs } from "../similar-titles.server.ts";
import { readGoodToKnow } from "./good-to-know.server.ts";
import { mergeItems, pickHeadlines, readHeadlineStyle, readNewestItems } from "./select.server.ts";

/** The sections that have a block on /news, in this order. Others take the place of missing ones. */
const blockSections = [localSection, "politics", "business", "sports", "culture"];
const headlinesPerBlock = 3;
const localCount = 5;
/** A short list shows at most this many headlines of one source, if it has several sources. */
const maxPerSource = 2;

const blockHeadlines = createMemo<Headline[][]>();
const localHeadlines = createMemo<{
  headlines: Headline[];
  alsoReportedBy: Report[];
  changedAt: Date | null;
}>();

/**
 * The blocks of /news: the newest headlines of some sections, each headline once. Headlines that
 * tell the same news as our stories are left out.
 */
export async function readHeadlineBlocks(services: PageServices, stories: OwnStory[]) {
  const style = readHeadlineStyle(services.site);
  const { sections } = services.site.read(sectionsFile);
  const blocks = [...new Set([...blockSections, ...sectionNames])]
    .flatMap((name) => {
      const section = sections[name];
      return section ? [{ name, section, sources: listActiveSourcesOf(section) }] : [];
    })
    .slice(0, blockSections.length);
  const lists = await readNewestItems(
    services,
    blocks.flatMap(({ sources }) => sources),
  );
  const inputs = [style, ...toInputs(stories), ...lists];
  const shown = blockHeadlines("blocks", inputs, () => {
    const items = mergeItems(lists);
    const shownIds = new Set(stories.flatMap((story) => findSameNews(items, story)));
    return blocks.map(({ sources }) => {
      const remaining = items.filter(({ id }) => !shownIds.has(id));
      const selection = { ...style, maxPerSource, count: headlinesPerBlock };
      const headlines = pickHeadlines(remaining, sources, selection);
      for (const { id } of headlines) shownIds.add(id);
      return headlines;
    });
  });
  return Promise.all(
    blocks.map(async ({ name, section }, index) => ({
      path: `/${name}`,
      label: sectionLabel(section),
      // One item with its summary takes as much space as three headlines.
      list: await toShortList(services, shown[index] ?? [], Object.keys(section.feeds), 1),
    })),
  );
}

/** A story of our own, with which the headlines of other newsrooms are compared. */
type OwnStory = { title: string; excerpt: string; publishedAt: Date };

/** What a memo compares, because the cards of stories are created for each page. */
const toInputs = (stories: OwnStory[]) =>
  stories.flatMap(({ title, excerpt, publishedAt }) => [title, excerpt, publishedAt.getTime()]);

/**
 * The newest local headlines, and when they last changed, because a source may change their dates.
 * In a city without local headlines, the list has good-to-know items. Headlines that tell the same news as our story are returned as reports instead.
 */
export async function readLocalShortList(services: PageServices, story: OwnStory | null) {
  const style = readHeadlineStyle(services.site);
  const section = services.site.read(sectionsFile).sections[localSection];
  const sources = section ? listActiveSourcesOf(section) : [];
  const lists = await readNewestItems(services, sources);
  const inputs = [style, story, ...lists];
  const { headlines, ...others } = localHeadlines(
    story ? "beside our story" : "alone",
    inputs,
    () => {
      const items = mergeItems(lists);
      const sameIds = new Set(story ? findSameNews(items, story) : []);
      const same = items.filter(({ id }) => sameIds.has(id));
      const different = items.filter(({ id }) => !sameIds.has(id));
      const selection = { ...style, maxPerSource };
      const headlines = pickHeadlines(different, sources, { ...selection, count: localCount });
      const ids = new Set(headlines.map(({ id }) => id));
      const times = items
        .filter(({ id }) => ids.has(id))
        .flatMap(({ firstSeenAt, shownAt }) => [firstSeenAt.getTime(), shownAt.getTime()]);
      return {
        headlines,
        alsoReportedBy: listReports(pickHeadlines(same, sources, selection)),
        changedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
      };
    },
  );
  return { list: await toShortList(services, headlines, [localSection], localCount), ...others };
}

/** Returns the ids of headlines that tell the same news as our story, at about the same time. */
export function findSameNews<Id>(
  items: { id: Id; title: string; shownAt: Date }[],
  story: OwnStory,
): Id[] {
  const isSameNews = createStoryMatcher(story);
  const isNear = (at: Date) =>
    Math.abs(at.getTime() - story.publishedAt.getTime()) <= similarTitleWindowMs;
  return items
    .filter(({ title, shownAt }) => isNear(shownAt) && isSameNews(title))
    .map(({ id }) => id);
}

/** Lists each source once, with its newest headline. */
const listReports = (headlines: Headline[]): Report[] =>
  headlines
    .flatMap(({ source, link, also }) => [{ source, link }, ...also])
    .filter(
      ({ source }, index, all) => all.findIndex((other) => other.source === source) === index,
    );

async function toShortList(
  services: PageServices,
  headlines: Headline[],
  feedIds: string[],
  goodToKnowCount: number,
): Promise<ShortList> {
  if (headlines.length > 0) return { kind: "headlines", headlines };
  const { lists, today, signature } = await readGoodToKnow(services);
  // Of a section with several feeds, each day has the items of another feed.
  const [feedId = ""] = rotateDaily(feedIds, today, 1);
  const items = rotateDaily(lists[feedId] ?? [], today, goodToKnowCount);
  return { kind: "good-to-know", items: items.slice(0, goodToKnowCount), signature };
}

/**
 * Moves the headlines that the blocks show to the end of the feeds below them, so that a feed does
 * not begin with the same rows as a block above.
 */
export function moveShownToEnd(feeds: FeedContent[], blocks: HeadlineBlock[]): FeedContent[] {
  const shownTitles = new Set(
    blocks
      .flatMap(({ list }) => (list.kind === "headlines" ? list.headlines : list.items))
      .map(({ title }) => title),
  );
  const move = <T extends { title: string }>(items: T[]): T[] =>
    items.toSorted(
      (one, other) => Number(shownTitles.has(one.title)) - Number(shownTitles.has(other.title)),
    );
  const moveIn = (shows: FeedContent["shows"]): FeedContent["shows"] => {
    switch (shows.kind) {
      case "headlines":
        return { ...shows, headlines: move(shows.headlines) };
      case "good-to-know":
        return { ...shows, items: move(shows.items) };
      case "widget":
        return shows;
    }
  };
  return feeds.map((feed) => ({ ...feed, shows: moveIn(feed.shows) }));
}
