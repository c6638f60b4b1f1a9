import { longDate } from "../../lib/dates.ts";
import { withTimeout } from "../../lib/http/with-timeout.server.ts";
import type { SiteReader } from "../../lib/site/site-file.server.ts";
import { textToHtml } from "../../lib/text/html.ts";
import { truncateAtWord } from "../../lib/text/truncate-at-word.ts";
import type { PageScope } from "../../platform/page-scope.ts";
import type { Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { newsFolder, type StoryRecord } from "./files.server.ts";
import type { NewsItem, Story } from "./model.ts";
import { approvedStory, newestStories, type ReaderStory } from "./readers/approved.server.ts";
import { submitStoryFile } from "./readers/files.server.ts";
import { maxStoryLength } from "./readers/model.ts";

const relatedCount = 3;
const maxExcerptLength = 200;
const maxReaderStories = 1_000;

/**
 * The desk's own stories are files; those that readers sent and an editor approved are in the
 * database. A page with stories from files is shown also while the database is away, and expires
 * soon then.
 */
type StoryServices = Pick<Services, "site" | "db" | "log" | "clock"> & PageScope;

/** How long such a page waits for readers' stories to show beside the desk's own. */
const waitMs = 1_000;
/** A page without them is rendered again this soon. */
const retryAfterMs = 10_000;

/**
 * As many stories as asked for, if there are that many: first those of the given ids, in this
 * order, then the newest of the others. `elsewhere` are the ids that the page shows in another
 * place.
 */
export function pickStories(
  records: StoryRecord[],
  ids: string[],
  count: number,
  elsewhere: string[] = [],
): NewsItem[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const named = ids.flatMap((id) => byId.get(id) ?? []);
  const others = records
    .filter(({ id }) => !ids.includes(id) && !elsewhere.includes(id))
    .toSorted((one, other) => other.front.date.localeCompare(one.front.date));
  return [...named, ...others].slice(0, count).map((record) => toCard(fromFile(record)));
}

/** Readers' newest stories, and the desk's own where those are too few. */
export async function newestLocalStories(
  services: StoryServices,
  ids: string[],
  count: number,
): Promise<NewsItem[]> {
  const { site, tags } = services;
  tags.add(cacheTags.stories);
  const newest = await readNewestStories(services, count);
  const sent = newest.map((story) => toCard(fromReader(story, site)));
  return [...sent, ...pickStories(site.readAll(newsFolder), ids, count)].slice(0, count);
}

/**
 * Readers' newest stories; none if the database does not answer, since no story of the desk's own
 * may wait for them.
 */
async function readNewestStories(
  { db, log, clock, expireAt }: StoryServices,
  count: number,
): Promise<ReaderStory[]> {
  const newest = await withTimeout(log, "stories", waitMs, newestStories(db, count));
  if (!newest) expireAt(new Date(clock().getTime() + retryAfterMs));
  return newest?.value ?? [];
}

/**
 * A story and what to read after it: first of its own category, then the newest. Null when there is
 * none.
 */
export async function findStory(
  services: StoryServices,
  id: string,
): Promise<{ story: Story; related: NewsItem[] } | null> {
  const { site, db, tags } = services;
  tags.add(cacheTags.stories);
  const files = site.readAll(newsFolder).map(fromFile);
  const sent = files.some((story) => story.id === id) ? null : await approvedStory(db, id);
  const story = sent ? fromReader(sent, site) : files.find((file) => file.id === id);
  if (!story) return null;
  const newest = await readNewestStories(services, relatedCount + 1);
  const others = [...files, ...newest.map((other) => fromReader(other, site))];
  const isSameCategory = ({ category }: NewsItem) => Number(category === story.category);
  const related = others
    .filter((other) => other.id !== id)
    .toSorted(
      (one, other) =>
        isSameCategory(other) - isSameCategory(one) || other.published.localeCompare(one.published),
    )
    .slice(0, relatedCount)
    .map(toCard);
  return { story, related };
}

/** Every story that readers can open, whole: what looks through all of them asks here. */
export async function allStories({ site, db }: Pick<Services, "site" | "db">): Promise<Story[]> {
  const sent = await newestStories(db, maxReaderStories, maxStoryLength);
  return [
    ...site.readAll(newsFolder).map(fromFile),
    ...sent.map((story) => fromReader(story, site)),
  ];
}

function fromFile({ id, front, html }: StoryRecord): Story {
  const { title, excerpt, category, date, image, sample } = front;
  const card = { id, title, excerpt, category, date: longDate(date), image, isSample: sample };
  return { ...card, html, published: date, byline: null, moreImages: [] };
}

function fromReader(
  { slug, title, story, name, category, day, images: pictures }: ReaderStory,
  site: SiteReader,
): Story {
  const [first, ...morePictures] = pictures;
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
    moreImages: morePictures,
  };
}

/** A card shows less than there is, and no more travels to the browser. */
const toCard = ({ id, title, excerpt, category, date, image, isSample }: NewsItem): NewsItem => ({
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
