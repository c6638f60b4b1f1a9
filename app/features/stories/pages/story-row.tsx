import { CityImage } from "../../../ui/city-image.tsx";
import type { StoryCard } from "../model.ts";
import { StoryText } from "./story-text.tsx";

/** A story in a list. A click anywhere in the row opens the story. */
export function StoryRow({ story }: { story: StoryCard }) {
  return (
    <li className="story-row">
      <article>
        <StoryText
          story={story}
          titleClass="text-xl/[1.2] md:text-2xl/[1.2]"
          excerptClass="mt-2 hidden max-w-2xl text-ink-soft md:block"
        />
        <CityImage image={story.image} load="later" className="thumb" />
      </article>
    </li>
  );
}
