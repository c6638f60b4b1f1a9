import type { ReactNode } from "react";
import { toQueryString } from "../../../lib/links/query.ts";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { Link } from "../../../ui/link.tsx";
import { Follow } from "../../../ui/share/follow.tsx";
import { NewCount } from "../../device/visits/new-mark.tsx";
import type { Place } from "../../places/model.ts";
import type { FeedContent } from "../model.ts";
import { FeedSection, type QueryParams } from "./feed-section.tsx";

export type SectionTexts = { heading: string; intro: string };

type Props = {
  head: SectionTexts;
  page: string;
  otherParams?: QueryParams;
  feeds: FeedContent[];
  /** Choices between the introduction and our stories. */
  filters?: ReactNode;
  /** Our own stories, which come before the headlines. */
  newsroom?: ReactNode;
  follow: ReactNode;
  /** Shown after the first feed. */
  ads: ReactNode;
  /** More of our own content: next to the first feed or, on narrow screens, below all feeds. */
  column?: ReactNode;
  children?: ReactNode;
};

export function SectionPage(props: Props) {
  const { head, page, otherParams = [], feeds } = props;
  const [first, ...others] = feeds;
  const firstWithout = feeds.find(({ shows }) => shows.kind === "good-to-know");
  const showFeed = (feed: FeedContent) => (
    <FeedSection
      key={`${feed.id} ${toQueryString(Object.fromEntries(otherParams))}`}
      feed={feed}
      page={page}
      otherParams={otherParams}
      isExplained={feed !== firstWithout}
    />
  );
  return (
    <>
      <PageHead head={head} follow={props.follow} />
      {props.filters}
      {others.length > 0 && <JumpStrip feeds={feeds} />}
      {props.newsroom}
      <div className="page section-grid">
        {first && showFeed(first)}
        {props.ads}
        {others.length > 0 && (
          <div className="mt-16 grid gap-x-8 gap-y-14 lg:grid-cols-2">{others.map(showFeed)}</div>
        )}
        <div className="section-column mt-14 grid content-start gap-7 lg:mt-0">
          {props.column}
          <AboutHeadlines feeds={feeds} />
        </div>
      </div>
      {props.children}
    </>
  );
}

/** The heading is low, so that the first headlines are on the first screen. */
export function PageHead({ head, follow }: Pick<Props, "head" | "follow">) {
  return (
    <div className="page section-head">
      <h1 className="kicker">{head.heading}</h1>
      <p className="section-intro">{head.intro}</p>
      {follow}
      <NewCount isInCorner />
    </div>
  );
}

/** On a phone, the names of five lists fit into one row. */
function JumpStrip({ feeds }: { feeds: FeedContent[] }) {
  return (
    <nav aria-label="On this page" className="page no-print mt-4">
      <ul className="flex flex-wrap gap-1 sm:gap-2">
        {feeds.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="button button-plain button-small max-sm:px-2">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function AboutHeadlines({ feeds }: { feeds: FeedContent[] }) {
  const isWaiting = feeds.every(
    ({ shows }) => shows.kind === "good-to-know" && shows.reason !== "none-about-place",
  );
  return (
    <aside aria-labelledby="about-headlines">
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
    </aside>
  );
}

type FollowProps = {
  origin: string;
  name: string;
  title: string;
  place?: Place | null;
};

/** The ways to follow a section, or the news and events of a neighborhood. */
export function FollowSection({ origin, name, title, place = null }: FollowProps) {
  const hasPage = useHasPage();
  const query = toQueryString({ place: place?.slug ?? null });
  return (
    <Follow
      origin={origin}
      title={title}
      feed={{ path: `/feeds/${name}`, query }}
      widget={`/embed/feeds/${name}${query}`}
      {...(place && hasPage("/events") ? { calendar: `/events.ics${query}` } : {})}
    />
  );
}
