import type { StoryCard } from "../model.ts";

/**
 * The line above a title. The marks stay next to the category, so that on a narrow screen the date
 * is on the second line, and not a mark alone.
 */
export function StoryFacts({ story }: { story: StoryCard }) {
  return (
    <p className="story-row-facts">
      <span className="story-row-kind">
        <span className="font-semibold text-crab">{story.category}</span>
        {story.isLive && <span className="mark mark-live">Live</span>}
        {story.isFromReader && <span className="mark">From a reader</span>}
        {story.isSample && <span className="mark">Sample</span>}
      </span>
      <span>{story.date}</span>
    </p>
  );
}
