import { longDate } from "../../lib/dates.ts";
import { withTimeout } from "../../lib/http/with-timeout.server.ts";
import type { SiteReader } from "../../lib/site/site-file.server.ts";
import { textToHtml } from "../../lib/text/html.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { PageScope } from "../../platform/page-scope.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { newsFolder, type StoryFile } from "./files.server.ts";
import type { Story, StoryCard } from "./model.ts";
import {
  findApprovedStory,
  newestReaderStories,
  type ReaderStory,
} from "./readers/approved.server.ts";
import { submitStoryFile } from "./readers/files.server.ts";
import { maxStoryLength } from "./readers/model.ts";

const relatedCount = 3;
const maxExcerptLength = 200;
const maxReaderStories = 1_000;

/**
 * The newsroom's own stories come from files. Stories that readers sent and an editor approved come
 * from the database. If the database is unavailable, pages show only the stories from files, and
 * expire soon.
 */
type StoryServices = Pick<Services, "site" | "db" | "log" | "clock"> & PageScope;

/** How long a page with stories from files waits for readers' stories. */
const databaseTimeoutMs = 1_000;
/** How soon a page without readers' stories is rendered again. */
const retryAfterMs = 10_000;

/**
 * Picks up to `count` stories from files: first the stories with the given ids, in this order, then
 * the newest of the others, except those with an id in `shownElsewhere`.
 */
export function pickStories(
  records: StoryFile[],
  ids: string[],
  count: number,
  shownElsewhere: string[] = [],
): StoryCard[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const listedStories = ids.flatMap((id) => byId.get(id) ?? []);
  const others = records
    .filter(({ id }) => !ids.includes(id) && !shownElsewhere.includes(id))
    .toSorted((one, other) => other.front.date.localeCompare(one.front.date));
  return [...listedStories, ...others]
    .slice(0, count)
    .map((record) => toCard(storyFromFile(record)));
}

/** The newest stories by readers, followed by the newsroom's own if there are too few. */
export async function newestLocalStories(
  services: StoryServices,
  ids: string[],
  count: number,
): Promise<StoryCard[]> {
  const { site, tags } = services;
  tags.add(cacheTags.stories);
  const newest = await readNewestReaderStories(services, count);
  const readerCards = newest.map((story) => toCard(storyFromReader(story, site)));
  return [...readerCards, ...pickStories(site.readAll(newsFolder), ids, count)].slice(0, count);
}

/**
 * The newest stories by readers. Empty if the database does not respond in time, because the
 * newsroom's own stories must not wait for it.
 */
async function readNewestReaderStories(
  { db, log, clock, expireAt }: StoryServices,
  count: number,
): Promise<ReaderStory[]> {
  const newest = await withTimeout(
    log,
    "stories",
    databaseTimeoutMs,
    newestReaderStories(db, count),
  );
  if (!newest) expireAt(new Date(clock().getTime() + retryAfterMs));
  return newest?.value ?? [];
}

/**
 * A story and its related stories: first those in the same category, then the newest. Null if the
 * story does not exist.
 */
export async function findStory(
  services: StoryServices,
  id: string,
): Promise<{ story: Story; related: StoryCard[] } | null> {
  const { site, db, tags } = services;
  tags.add(cacheTags.stories);
  const files = site.readAll(newsFolder).map(storyFromFile);
  const file = files.find((story) => story.id === id);
  const readerStory = file ? null : await findApprovedStory(db, id);
  const story = readerStory ? storyFromReader(readerStory, site) : file;
  if (!story) return null;
  const newest = await readNewestReaderStories(services, relatedCount + 1);
  const others = [...files, ...newest.map((other) => storyFromReader(other, site))];
  const sameCategoryScore = ({ category }: StoryCard) => Number(category === story.category);
  const related = others
    .filter((other) => other.id !== id)
    .toSorted(
      (one, other) =>
        sameCategoryScore(other) - sameCategoryScore(one) ||
        other.published.localeCompare(one.published),
    )
    .slice(0, relatedCount)
    .map(toCard);
  return { story, related };
}

/** Every published story with its full text, for search. */
export async function allStories({ site, db }: Pick<Services, "site" | "db">): Promise<Story[]> {
  const readerStories = await newestReaderStories(db, maxReaderStories, maxStoryLength);
  return [
    ...site.readAll(newsFolder).map(storyFromFile),
    ...readerStories.map((story) => storyFromReader(story, site)),
  ];
}

function storyFromFile({ id, front, html }: StoryFile): Story {
  const { title, excerpt, category, date, image, sample } = front;
  const card = { id, title, excerpt, category, date: longDate(date), image, isSample: sample };
  return { ...card, html, published: date, byline: null, moreImages: [] };
}

function storyFromReader(
  { slug, title, story, name, category, day, images }: ReaderStory,
  site: SiteReader,
): Story {
  const [first, ...moreImages] = images;
  const image = first ?? site.read(submitStoryFile).picture;
  return {
    id: slug,
    title,
    excerpt: toExcerpt(story),
    category,
    date: longDate(day),
    image,
    isSample: false,
    html: textToHtml(story),
    published: day,
    byline: { name },
    moreImages,
  };
}

/** Drops the fields that a card does not show, so that they are not sent to the browser. */
const toCard = ({ id, title, excerpt, category, date, image, isSample }: StoryCard): StoryCard => ({
  id,
  title,
  excerpt,
  category,
  date,
  image,
  isSample,
});

const toExcerpt = (text: string) =>
  truncateAtWord(text.replaceAll(/\s+/g, " ").trim(), maxExcerptLength);
