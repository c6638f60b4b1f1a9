import { CityImage } from "../../../ui/city-image.tsx";
import { Link } from "../../../ui/link.tsx";
import type { StoryCard } from "../model.ts";
import { StoryEntry, StoryText } from "./story-entry.tsx";

/** How many of the stories below the first one have a small image. The others have only a title. */
const thumbCount = 2;

export function NewsroomBlock({ stories }: { stories: StoryCard[] }) {
  const [lead, ...others] = stories;
  if (!lead) return null;
  return (
    <section className="page mt-3" aria-labelledby="newsroom">
      <div className="head-row items-baseline gap-y-0 border-gold border-b-4 pb-1.5">
        <h2 id="newsroom" className="text-xl md:text-2xl">
          From our newsroom
        </h2>
        <Link to="/stories" className="text-link py-1 font-semibold">
          All our stories
        </Link>
      </div>
      {/* A single sample is not worth more space than the headlines. */}
      {lead.isSample && others.length === 0 ? (
        <ul>
          <StoryEntry story={lead} />
        </ul>
      ) : (
        <div className="newsroom">
          <article className="newsroom-lead">
            <CityImage image={lead.image} load="first" sizes="lead" className="thumb" />
            <StoryText
              story={lead}
              titleClass="text-xl/[1.15] md:text-3xl/[1.15]"
              excerptClass="mt-2 hidden text-ink-soft md:line-clamp-3 min-[84rem]:line-clamp-2"
            />
          </article>
          {others.length > 0 && (
            <ul className="title-list newsroom-titles">
              {others.map((story, index) => (
                <li key={story.slug}>
                  <article className="flex gap-3">
                    <StoryText story={story} titleClass="title-list-title" />
                    {index < thumbCount && (
                      <CityImage image={story.image} load="later" sizes="card" className="thumb" />
                    )}
                  </article>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}
