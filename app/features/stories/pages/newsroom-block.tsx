import { Link } from "react-router";
import { CityImage } from "../../../ui/city-image.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { StoryCard } from "../model.ts";
import { StoryFacts } from "./story-facts.tsx";

/**
 * Our own stories above the headlines of other newsrooms: one with its image, and the titles of the
 * others. It is low, so that the first headline is still on the screen.
 */
export function NewsroomBlock({ stories: [lead, ...others] }: { stories: StoryCard[] }) {
  if (!lead) return null;
  return (
    <section className="page mt-4 lg:mt-7" aria-labelledby="newsroom">
      <div className="head-row items-baseline gap-y-0 border-gold border-b-4 pb-1.5">
        <h2 id="newsroom" className="text-xl md:text-2xl">
          From our newsroom
        </h2>
        <Link to="/stories" className="text-link py-1 font-semibold">
          All our stories
        </Link>
      </div>
      <div
        className={others.length > 0 ? "grid gap-x-10 lg:grid-cols-[5fr_4fr]" : "newsroom-alone"}
      >
        <article className="newsroom-lead">
          <CityImage image={lead.image} load="first" sizes="beside" className="thumb" />
          <div className="min-w-0 flex-1">
            <StoryFacts story={lead} />
            <h3 className="mt-0.5 text-xl/[1.15] md:text-3xl/[1.15]">
              <NewMark id={`/news/${lead.id}`} time={lead.publishedAt} />
              <Link to={`/news/${lead.id}`} className="cover-link">
                {lead.title}
              </Link>
            </h3>
            <p className="mt-2 hidden text-ink-soft md:line-clamp-3">{lead.excerpt}</p>
          </div>
          <SaveButton item={{ url: `/news/${lead.id}`, title: lead.title, kind: "story" }} />
        </article>
        {others.length > 0 && (
          <ul className="newsroom-titles">
            {others.map((story) => (
              <li key={story.id}>
                <article className="save-row relative py-1.5 md:py-2">
                  <div>
                    <StoryFacts story={story} />
                    <h3 className="mt-0.5 text-body/tight tracking-normal">
                      <NewMark id={`/news/${story.id}`} time={story.publishedAt} />
                      <Link to={`/news/${story.id}`} className="cover-link inline">
                        {story.title}
                      </Link>
                    </h3>
                  </div>
                  <SaveButton
                    item={{ url: `/news/${story.id}`, title: story.title, kind: "story" }}
                  />
                </article>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
