import { ArtPicture } from "../../ui/art-picture.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Prose } from "../../ui/prose.tsx";
import { SectionHead } from "../../ui/section-head.tsx";
import type { NewsItem, Story } from "./model.ts";
import { NewsGrid } from "./news-grid.tsx";

const bylineOf = ({ name }: { name: string }) =>
  name === "" ? "A story that a reader sent us." : `A story that a reader sent us: ${name}.`;

export function StoryPage({ story, related }: { story: Story; related: NewsItem[] }) {
  return (
    <>
      <article className="page pt-10 lg:pt-14">
        <header className="mx-auto max-w-4xl">
          <p className="flex flex-wrap items-center gap-3 text-sm">
            <Badge>{story.category}</Badge>
            <time dateTime={story.published} className="text-ink-soft">
              {story.date}
            </time>
          </p>
          <h1 className="mt-4 text-4xl md:text-5xl lg:text-6xl">{story.title}</h1>
          <p className="mt-5 font-serif text-ink-soft text-xl md:text-2xl md:leading-snug">
            {story.byline ? bylineOf(story.byline) : story.excerpt}
          </p>
        </header>
        <ArtPicture
          picture={story.image}
          load="first"
          className={`mx-auto mt-8 rounded-sm lg:mt-10 ${story.byline ? "photo" : "w-full max-w-5xl"}`}
        />
        <div className="mx-auto mt-8 max-w-2xl lg:mt-12">
          <Prose html={story.html} />
          {story.morePictures.map((picture) => (
            <ArtPicture
              key={picture.file}
              picture={picture}
              load="later"
              className="photo mx-auto mt-8 rounded-sm"
            />
          ))}
        </div>
      </article>
      {related.length > 0 && (
        <section className="page mt-16 lg:mt-24" aria-labelledby="more-stories">
          <SectionHead id="more-stories" title="More stories" />
          <NewsGrid items={related} />
        </section>
      )}
    </>
  );
}
