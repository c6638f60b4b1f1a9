import type { StoryCard } from "../model.ts";

/** What a reader should know about the origin of a story before opening it. */
export function StoryMarks({ story }: { story: Pick<StoryCard, "isSample" | "isFromReader"> }) {
  return (
    <>
      {story.isFromReader && <span className="story-mark">From a reader</span>}
      {story.isSample && <span className="story-mark">Sample</span>}
    </>
  );
}
