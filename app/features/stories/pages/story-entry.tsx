import { CityImage } from "../../../ui/city-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import { type StoryCard, storyPath } from "../model.ts";

/** A story in a list. A click anywhere in the row opens the story. */
export function StoryEntry({ story }: { story: StoryCard }) {
  return (
    <li className="story-row">
      <article>
        <StoryText
          story={story}
          titleClass="text-xl/[1.2] md:text-2xl/[1.2]"
          excerptClass="mt-2 hidden max-w-2xl text-ink-soft md:block"
        />
        <CityImage image={story.image} load="later" sizes="card" className="thumb" />
      </article>
    </li>
  );
}

type Props = {
  story: StoryCard;
  titleClass: string;
  /** Without this class, the excerpt is left out. */
  excerptClass?: string;
};

/** The texts of a story in a list. The link covers the list's row. */
export function StoryText({ story, titleClass, excerptClass }: Props) {
  const path = storyPath(story.slug);
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

/**
 * The marks are next to the category, so that on a narrow screen the date moves to the second line,
 * and not a single mark.
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
