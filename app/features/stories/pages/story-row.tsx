import { Link } from "react-router";
import { CityImage } from "../../../ui/city-image.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { StoryCard } from "../model.ts";
import { StoryFacts } from "./story-facts.tsx";

/** A story in a list. A click anywhere in the row opens the story. */
export function StoryRow({ story }: { story: StoryCard }) {
  return (
    <li className="story-row">
      <article>
        <div className="min-w-0 flex-1">
          <StoryFacts story={story} />
          <h3 className="mt-1 text-xl/[1.2] md:text-2xl/[1.2]">
            <NewMark id={`/news/${story.id}`} time={story.publishedAt} />
            <Link to={`/news/${story.id}`} className="cover-link">
              {story.title}
            </Link>
          </h3>
          <p className="mt-2 hidden max-w-2xl text-ink-soft md:block">{story.excerpt}</p>
        </div>
        <CityImage image={story.image} load="later" className="thumb" />
        <SaveButton item={{ url: `/news/${story.id}`, title: story.title, kind: "story" }} />
      </article>
    </li>
  );
}
