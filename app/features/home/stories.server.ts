import { newestFirst, type StoryRecord } from "../stories/record.server.ts";
import { pickStories } from "../stories/stories.server.ts";
import { communityStoryCount, featuredStoryCount, type Home } from "./files.server.ts";

/** How many stories the front page shows. */
const homeStoryCount = 1 + featuredStoryCount + communityStoryCount;

/**
 * Picks the stories of the front page: the newest for the strip, the featured and the community
 * stories. Samples come last everywhere. The newest is repeated only if home.yaml names it, or if
 * without it there are too few stories, or too few besides samples.
 */
export function pickHomeStories(stories: StoryRecord[], { featured, community }: Home) {
  const [newest = null] = stories.toSorted(
    (one, other) => Number(one.isSample) - Number(other.isSample) || newestFirst(one, other),
  );
  const similarCount = stories.filter(({ isSample }) => isSample === newest?.isSample).length;
  const isRepeated =
    similarCount < homeStoryCount || [...featured, ...community].includes(newest?.id ?? "");
  const shown = newest && !isRepeated ? [newest.id] : [];
  const featuredCards = pickStories(stories, featured, featuredStoryCount, [
    ...community,
    ...shown,
  ]);
  const featuredIds = featuredCards.map(({ id }) => id);
  return {
    newest,
    featured: featuredCards,
    community: pickStories(stories, community, communityStoryCount, [...featuredIds, ...shown]),
  };
}
