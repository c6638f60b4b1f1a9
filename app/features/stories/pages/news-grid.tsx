import { isImageAvailable } from "../../../lib/images/art.ts";
import { Badge } from "../../../ui/badge.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import { type StoryCard, storyPath } from "../model.ts";

/** Cards in one or two columns. Of three stories, the first one is larger, with the others beside it. */
export function NewsGrid({ stories, columns = 3 }: { stories: StoryCard[]; columns?: 2 | 3 }) {
  if (stories.length === 0) return null;
  const hasLead = columns === 3 && stories.length >= 3;
  return (
    <div className="news-grid mt-4">
      <ul>
        {stories.map((story, index) => (
          <li key={story.slug} className={`news-cell ${hasLead && index === 0 ? "news-lead" : ""}`}>
            <NewsCard story={story} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * The whole card is clickable but contains only one link, so that screen readers announce it once
 * and the Tab key stops at it once.
 */
function NewsCard({ story }: { story: StoryCard }) {
  const isPlain = !isImageAvailable(story.image);
  return (
    <article className={`card news-card ${isPlain ? "news-card-plain" : ""}`}>
      <CityImage image={story.image} load="later" sizes="card" className="card-image" />
      {story.isSample && <p className="mark card-sample">Sample</p>}
      <div className="card-body">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <Badge>{story.category}</Badge>
          <span className="text-ink-soft">{story.date}</span>
          {story.isLive && <span className="mark mark-live">Live</span>}
          {story.isFromReader && <span className="mark">From a reader</span>}
        </p>
        <h3 className="news-card-title">
          <NewMark id={storyPath(story.slug)} time={story.publishedAt} />
          {story.title}
        </h3>
        <p
          className={`mt-2 text-ink-soft ${isPlain ? "line-clamp-6 text-lg" : "line-clamp-3 text-note"}`}
        >
          {story.excerpt}
        </p>
        <p className="mt-auto pt-4">
          <Link to={storyPath(story.slug)} className="cover-link card-link">
            Read More<span className="sr-only">: {story.title}</span>
          </Link>
        </p>
      </div>
      <SaveButton item={{ url: storyPath(story.slug), title: story.title, kind: "story" }} />
    </article>
  );
}
