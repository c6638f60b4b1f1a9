import { Badge } from "../../../ui/badge.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { SectionHead } from "../../../ui/section-head.tsx";
import type { Story, StoryCard } from "../model.ts";
import { NewsGrid } from "./news-grid.tsx";

const formatByline = ([name]: string[]) =>
  name === undefined
    ? "A story from one of our readers."
    : `A story from one of our readers, ${name}.`;

/**
 * All parts of the story are aligned to the left edge of the page. On wide screens, the related
 * stories are next to the story.
 */
export function StoryPage({ story, related }: { story: Story; related: StoryCard[] }) {
  return (
    <div className="page story">
      <article className="min-w-0">
        <header>
          <p className="flex flex-wrap items-center gap-3 text-sm">
            <Badge>{story.category}</Badge>
            <time dateTime={story.published.iso} className="text-ink-soft">
              {story.published.text}
            </time>
          </p>
          <h1 className="mt-4 text-4xl md:text-5xl">{story.title}</h1>
          <p className="mt-4 max-w-2xl font-serif text-ink-soft text-xl md:text-2xl md:leading-snug">
            {story.isFromReader ? formatByline(story.authors) : story.excerpt}
          </p>
          {story.isSample && <SampleNotice />}
        </header>
        <CityImage
          image={story.image}
          load="first"
          className={`mt-8 rounded-sm ${story.isFromReader ? "photo" : "w-full"}`}
        />
        <div className="mt-8">
          <Prose html={story.html} />
          {story.moreImages.map((image) => (
            <CityImage
              key={image.file}
              image={image}
              load="later"
              className="photo mt-8 rounded-sm"
            />
          ))}
        </div>
      </article>
      {related.length > 0 && (
        <section className="story-more" aria-labelledby="more-stories">
          <SectionHead id="more-stories" title="More stories" />
          <NewsGrid stories={related} />
        </section>
      )}
    </div>
  );
}

function SampleNotice() {
  return (
    <p className="mt-6 max-w-2xl border-gold border-l-4 bg-sunken px-4 py-3">
      <strong className="font-semibold">This is a sample story.</strong> It shows how stories look
      on this site. It is not current news, and its date is only an example.
    </p>
  );
}
