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
        <div className="story-row-text">
          <StoryFacts story={story} />
          <h3 className="story-row-title">
            <NewMark id={`/news/${story.id}`} time={story.publishedAt} />
            <Link to={`/news/${story.id}`} className="story-row-link">
              {story.title}
            </Link>
          </h3>
          <p className="story-row-excerpt">{story.excerpt}</p>
        </div>
        <CityImage image={story.image} load="later" className="story-row-image" />
        <SaveButton item={{ url: `/news/${story.id}`, title: story.title, kind: "story" }} />
      </article>
    </li>
  );
}
