import { lazy, Suspense } from "react";
import { toQueryString } from "../../../lib/links/query.ts";
import { Byline, Corrections, PublishedLine } from "../../../ui/article-notes.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { CityImage } from "../../../ui/city-image.tsx";
import { describeShape, LeadImage } from "../../../ui/lead-image.tsx";
import { Link } from "../../../ui/link.tsx";
import { Neighbors } from "../../../ui/neighbors.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { SectionHead } from "../../../ui/section-head.tsx";
import { ShareTools } from "../../../ui/share/share-tools.tsx";
import { tipCategory } from "../../forms/model.ts";
import { SaveButton } from "../../saved/save-button.tsx";
import { storyListPath, toCategoryValue } from "../listing/list.ts";
import { type StoryLink, type StoryPageContent, storyPath } from "../model.ts";
import { NewsGrid } from "./news-grid.tsx";

/** Loaded on demand, because only the pages of live stories need this code. */
const LiveStoryText = lazy(() => import("../live/live-story.tsx"));

type Props = {
  content: StoryPageContent;
  /** Readers cannot save a preview, because its link expires. */
  isPreview?: boolean;
};

export function StoryPage({ content, isPreview = false }: Props) {
  const { story, related, seriesParts, older, newer, url } = content;
  return (
    <div className="page story">
      <article className="min-w-0">
        <StoryHeader {...content} isPreview={isPreview} />
        <LeadImage image={story.image} />
        <div className="mt-8">
          {story.live ? (
            <Suspense>
              <LiveStoryText id={story.slug} live={story.live} isPreview={isPreview} />
            </Suspense>
          ) : (
            <Prose html={story.html} />
          )}
          {story.moreImages.map((image) => (
            <CityImage
              key={image.file}
              image={image}
              load="later"
              sizes="story"
              className={`mt-8 ${describeShape(image)}`}
            />
          ))}
        </div>
        <Corrections items={story.corrections} />
        <p className="hidden print:mt-6 print:block print:text-sm/text full-only">{url}</p>
        <p className="no-print mt-10 max-w-2xl">
          <strong className="font-semibold">Know more?</strong>{" "}
          <Link
            to={`/contact${isPreview ? "" : toQueryString({ about: storyPath(story.slug), category: tipCategory })}#message`}
            rel="nofollow"
            className="text-link"
          >
            Tell us about this story
          </Link>
        </p>
        {story.series !== null && seriesParts.length > 0 && (
          <SeriesBox name={story.series} parts={seriesParts} currentSlug={story.slug} />
        )}
        <div className="max-w-2xl">
          <Neighbors
            label="Previous and next story"
            older={older && toNeighbor("Previous story", older)}
            newer={newer && toNeighbor("Next story", newer)}
          />
        </div>
      </article>
      {related.stories.length > 0 && (
        <section className="mt-16 xl:mt-0 no-print" aria-labelledby="more-stories">
          <SectionHead
            id="more-stories"
            title={related.section ? `More from ${related.section.heading}` : "More stories"}
            link={
              related.section
                ? { label: "Go to the section", to: related.section.path }
                : { label: "All our stories", to: "/stories" }
            }
          />
          <NewsGrid stories={related.stories} />
        </section>
      )}
    </div>
  );
}

const toNeighbor = (label: string, { slug, title }: StoryLink) => ({
  label,
  title,
  to: storyPath(slug),
});

type HeaderProps = Pick<StoryPageContent, "story" | "seriesParts" | "bylines" | "url"> & {
  isPreview: boolean;
};

function StoryHeader({ story, seriesParts, bylines, url, isPreview }: HeaderProps) {
  const path = storyPath(story.slug);
  const partNumber = seriesParts.findIndex(({ slug }) => slug === story.slug) + 1;
  return (
    <header>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <Link to={storyListPath({ category: toCategoryValue(story.category) })} className="py-0.5">
          <Badge>{story.category}</Badge>
        </Link>
        {story.isFromReader && <span className="mark">From a reader</span>}
        {seriesParts.length > 0 && (
          <a href="#series" className="text-link py-1">
            {story.series}, part {partNumber} of {seriesParts.length}
          </a>
        )}
      </p>
      <h1 className="mt-4 text-4xl md:text-5xl">{story.title}</h1>
      <p className="mt-4 max-w-2xl font-serif text-ink-soft text-xl md:text-2xl md:leading-snug">
        {story.isFromReader ? describeReader(story.authors) : story.excerpt}
      </p>
      {story.isSample && <SampleNotice />}
      <div className="mt-6 max-w-2xl border-line border-y py-2 print:mt-4">
        <p className="flex flex-wrap gap-x-5 gap-y-0.5 py-1 text-ink-soft text-note">
          {!story.isFromReader && bylines.length > 0 && (
            <span className="w-full text-base">
              <Byline authors={bylines} />
            </span>
          )}
          <PublishedLine published={story.published} updated={story.updated} />
          {story.corrections.length > 0 && (
            <a href="#corrections" className="text-link">
              {story.corrections.length === 1 ? "See the correction" : "See the corrections"}
            </a>
          )}
          <span>{story.readingMinutes} min read</span>
        </p>
        <ShareTools title={story.title} url={url} reportPath={isPreview ? undefined : path}>
          {!isPreview && (
            <SaveButton item={{ url: path, title: story.title, kind: "story" }} look="tool" />
          )}
        </ShareTools>
      </div>
    </header>
  );
}

const describeReader = ([name]: string[]) =>
  name === undefined
    ? "A story from one of our readers."
    : `A story from one of our readers, ${name}.`;

function SampleNotice() {
  return (
    <p className="callout mt-6 max-w-2xl">
      <strong className="font-semibold">This is a sample story.</strong> It shows how stories look
      on this site. It is not current news, and its date is only an example.
    </p>
  );
}

type SeriesProps = { name: string; parts: StoryLink[]; currentSlug: string };

function SeriesBox({ name, parts, currentSlug }: SeriesProps) {
  return (
    <section id="series" aria-labelledby="series-name" className="callout no-print mt-10 max-w-2xl">
      <h2 id="series-name" className="text-xl">
        Part of the series “{name}”
      </h2>
      <ol className="mt-3 list-decimal space-y-2 pl-5 marker:text-ink-soft">
        {parts.map(({ slug, title }) => (
          <li key={slug} aria-current={slug === currentSlug ? "true" : undefined}>
            {slug === currentSlug ? (
              <>
                <b>{title}</b> <span className="text-ink-soft text-sm">(this story)</span>
              </>
            ) : (
              <Link to={storyPath(slug)} className="text-link">
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
