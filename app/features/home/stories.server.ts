import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import { type createImagePicker, noImageFile } from "../../lib/images/art.ts";
import type { StoryCard } from "../stories/model.ts";
import { newestFirst, type StoryRecord } from "../stories/record.server.ts";
import { pickStories } from "../stories/stories.server.ts";
import { communityStoryCount, featuredStoryCount, type Home } from "./files.server.ts";

/**
 * Picks the story that leads the front page: the newest pinned one or, if none is pinned, the
 * newest of today and yesterday, rather by the newsroom than by a reader. A sample is never the
 * lead. The lead can change at midnight, when `readToday` makes the page expire.
 */
export function pickLeadStory(
  stories: StoryRecord[],
  now: Date,
  timeZone: string,
): StoryRecord | null {
  const since = instantAt(addDays(calendarDay(now, timeZone), -1), "00:00", timeZone);
  const [lead = null] = stories
    .filter(
      ({ isSample, isPinned, publishedAt }) => !isSample && (isPinned || publishedAt >= since),
    )
    .sort(
      (one, other) =>
        Number(other.isPinned) - Number(one.isPinned) ||
        Number(one.isFromReader) - Number(other.isFromReader) ||
        newestFirst(one, other),
    );
  return lead;
}

/**
 * Picks the featured and the community stories. Samples come last, and the lead story is in neither list,
 * even if home.yaml names it. A card loses its image if the page already shows this image.
 */
export function pickHomeStories(
  stories: StoryRecord[],
  leadStory: StoryRecord | null,
  { featured, community }: Home,
  pickImage: ReturnType<typeof createImagePicker>,
) {
  const leadSlugs = leadStory ? [leadStory.slug] : [];
  const show = ({ image, ...card }: StoryCard): StoryCard => ({
    ...card,
    image: pickImage(image) ?? { ...image, file: noImageFile },
  });
  const featuredCards = pickStories(stories, featured, featuredStoryCount, [
    ...community,
    ...leadSlugs,
  ]).map(show);
  const shownSlugs = [...featuredCards.map(({ slug }) => slug), ...leadSlugs];
  const communityCards = pickStories(stories, community, communityStoryCount, shownSlugs).map(show);
  return { featured: featuredCards, community: communityCards };
}
