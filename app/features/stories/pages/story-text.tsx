import { Link } from "react-router";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { StoryCard } from "../model.ts";
import { StoryFacts } from "./story-facts.tsx";

type Props = {
  story: StoryCard;
  titleClass: string;
  /** Without it, the excerpt is left out. */
  excerptClass?: string;
};

/** The texts of a story in a list. The link covers the list's row. */
export function StoryText({ story, titleClass, excerptClass }: Props) {
  const path = `/news/${story.id}`;
  return (
    <div className="story-text min-w-0 flex-1">
      <h3 className={titleClass}>
        <NewMark id={path} time={story.publishedAt} />
        <Link to={path} className="cover-link">
          {story.title}
        </Link>
      </h3>
      {excerptClass !== undefined && <p className={excerptClass}>{story.excerpt}</p>}
      <div className="save-row mt-0.5">
        <StoryFacts story={story} />
        <SaveButton item={{ url: path, title: story.title, kind: "story" }} />
      </div>
    </div>
  );
}
