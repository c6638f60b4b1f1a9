import { newestFirst, type StoryRecord } from "../stories/record.server.ts";
import { pickStories } from "../stories/stories.server.ts";
import { communityStoryCount, featuredStoryCount, type Home } from "./files.server.ts";

/** How many stories the front page shows. */
export const homeStoryCount = 1 + featuredStoryCount + communityStoryCount;

/**
 * Picks the stories of the front page: the newest for the strip, the featured and the community
 * stories. A sample is the newest only if there are no others. Featured News repeats the newest
 * only if home.yaml names it, or if there are too few others.
 */
export function pickHomeStories(stories: StoryRecord[], { featured, community }: Home) {
  const [newest = null] = stories.toSorted(
    (one, other) => Number(one.isSample) - Number(other.isSample) || newestFirst(one, other),
  );
  const pick = (shownElsewhere: string[]) =>
    pickStories(stories, featured, featuredStoryCount, [...community, ...shownElsewhere]);
  const others = newest && !featured.includes(newest.id) ? pick([newest.id]) : [];
  const featuredCards = others.length < featuredStoryCount ? pick([]) : others;
  const featuredIds = featuredCards.map(({ id }) => id);
  return {
    newest,
    featured: featuredCards,
    community: pickStories(stories, community, communityStoryCount, featuredIds),
  };
}
