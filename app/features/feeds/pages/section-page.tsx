import type { ReactNode } from "react";
import { Link } from "react-router";
import { feedExtensions, feedFormats } from "../../../lib/links/feed-formats.ts";
import type { FeedContent } from "../model.ts";
import { FeedSection, type QueryParams } from "./feed-section.tsx";

export type SectionHead = { heading: string; intro: string };

type Props = {
  head: SectionHead;
  page: string;
  otherParams?: QueryParams;
  feeds: FeedContent[];
  /** Our own stories, which come before the headlines. */
  newsroom?: ReactNode;
  /** The path of this section's RSS feed, without the file extension. */
  feedPath: string;
  /** Shown after the first feed. */
  ads: ReactNode;
  children?: ReactNode;
};

export function SectionPage({
  head,
  page,
  otherParams = [],
  feeds: [first, ...others],
  newsroom,
  feedPath,
  ads,
  children,
}: Props) {
  return (
    <>
      <PageHead head={head} />
      {first && others.length > 0 && <JumpStrip feeds={[first, ...others]} />}
      {newsroom}
      <div className="page mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-[2fr_1fr]">
        {first && <FeedSection key={first.id} feed={first} page={page} otherParams={otherParams} />}
        <AboutHeadlines feeds={first ? [first, ...others] : []} feedPath={feedPath} isInColumn />
      </div>
      {ads}
      {others.length > 0 && (
        <div className="page mt-16 grid gap-x-10 gap-y-14 lg:grid-cols-2">
          {others.map((feed) => (
            <FeedSection key={feed.id} feed={feed} page={page} otherParams={otherParams} />
          ))}
        </div>
      )}
      {children}
    </>
  );
}

export function PageHead({ head: { heading, intro } }: { head: SectionHead }) {
  return (
    <div className="page pt-10 lg:pt-14">
      <h1 className="kicker text-4xl md:text-6xl">{heading}</h1>
      <p className="mt-4 max-w-3xl text-ink-soft text-lg md:text-xl">{intro}</p>
    </div>
  );
}

function JumpStrip({ feeds }: { feeds: FeedContent[] }) {
  return (
    <nav aria-label="On this page" className="page no-print mt-6">
      <ul className="flex flex-wrap gap-2">
        {feeds.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="button button-plain min-h-10 px-4 py-1.5 text-sm">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type AboutProps = { feeds: FeedContent[]; feedPath: string; isInColumn?: boolean };

/** A note next to the feed on wide screens, and below it on others. */
export function AboutHeadlines({ feeds, feedPath, isInColumn = false }: AboutProps) {
  const isWaiting = feeds.every(({ shows }) => shows.kind === "good-to-know");
  return (
    <aside
      aria-labelledby="about-headlines"
      className={isInColumn ? "lg:border-line lg:border-l lg:pl-8" : ""}
    >
      <h2
        id="about-headlines"
        className="font-sans font-semibold text-crab text-sm uppercase tracking-[0.1em]"
      >
        About these headlines
      </h2>
      <p className="mt-3 text-ink-soft text-sm">
        {isWaiting
          ? "Once headlines arrive, each will have its source, its time and a link to the newsroom that reported it. "
          : "We show the title, the source, the time and a few lines. The story belongs to the newsroom that reported it, and every headline takes you there. "}
        <Link to="/status" className="text-link">
          Status of our sources
        </Link>
      </p>
      <p className="mt-4 text-sm">
        These headlines as a feed:{" "}
        {feedExtensions.map((extension) => (
          <span key={extension}>
            <a href={`${feedPath}.${extension}`} className="text-link">
              {feedFormats[extension].name}
            </a>
            ,{" "}
          </span>
        ))}
        and{" "}
        <a href="/feeds.opml" className="text-link">
          all sections at once
        </a>{" "}
        (OPML). Our own stories:{" "}
        <a href="/feeds/stories.xml" className="text-link">
          RSS
        </a>
        .
      </p>
    </aside>
  );
}
