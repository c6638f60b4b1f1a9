import { type SubmitEvent, useState } from "react";
import { flushSync } from "react-dom";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Link } from "../../../ui/link.tsx";
import { followFragment } from "../../../ui/share/follow.tsx";
import { Embed } from "../../embeds/embed.tsx";
import { placeDays } from "../../places/model.ts";
import { expandedParam, type FeedContent } from "../model.ts";
import { GoodToKnowList, HeadlineList } from "./headline-list.tsx";

type Props = {
  feed: FeedContent;
  /**
   * The path of the page with this feed. Without JavaScript, the button requests the same page with
   * the feed expanded.
   */
  page: string;
  /**
   * The other query parameters of the page, such as the month of the archive. The button keeps
   * them.
   */
  otherParams?: QueryParams;
  /** Whether another feed of the page has said already that there are no headlines. */
  isExplained?: boolean;
};

export type QueryParams = [name: string, value: string][];

export function FeedSection({ feed, page, otherParams = [], isExplained = false }: Props) {
  const { id, title, description, shows, publishers } = feed;
  const hasMore = countEntries(shows) > feed.maxItems;
  const [isExpanded, setExpanded] = useState(feed.isExpanded);
  const isEmpty = countEntries(shows) === 0;

  const boxHeight = !hasMore ? "" : isExpanded ? "feed-box-expanded" : "feed-box-collapsed";

  function toggle(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { scrollY } = window;
    flushSync(() => setExpanded(!isExpanded));
    // Browsers scroll to keep the content below the box in place. Here the box must stay in place,
    // because the reader is looking at it.
    window.scrollTo({ top: scrollY, behavior: "instant" });
    // If the reader is far down in the expanded box, the collapsed box and its focused button would
    // be above the screen.
    if (isExpanded) event.currentTarget.scrollIntoView({ block: "nearest", behavior: "instant" });
    rememberInUrl(id, !isExpanded);
  }

  return (
    <section id={id} className="feed min-w-0">
      <div className="feed-head">
        <h2 className="text-2xl">{title}</h2>
        <p>{description}</p>
      </div>
      {shows.kind === "good-to-know" && <Notice {...shows} isExplained={isExplained} />}
      {!isEmpty && (
        <>
          <div
            id={`${id}-list`}
            className={shows.kind === "widget" ? "mt-3" : `feed-box ${boxHeight}`}
          >
            <FeedBody feed={feed} hasMore={hasMore} isExpanded={isExpanded} />
          </div>
          {hasMore && (
            <form action={`${page}#${id}`} onSubmit={toggle} className="border-line border-t pt-3">
              {otherParams.map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              {!isExpanded && <input type="hidden" name={expandedParam} value={id} />}
              <button
                type="submit"
                className="button button-plain"
                aria-expanded={isExpanded}
                aria-controls={`${id}-list`}
              >
                {isExpanded ? "Show Less" : "See All"}
                <span className="sr-only">: {title}</span>
              </button>
            </form>
          )}
        </>
      )}
      {publishers.length > 0 && (
        <Publishers publishers={publishers} isWaiting={shows.kind === "good-to-know"} />
      )}
      {shows.kind === "headlines" && shows.lastUpdated !== null && (
        <p className="mt-2 text-ink-soft text-sm">
          Last updated {shows.lastUpdated}. We have not received newer headlines since then.
        </p>
      )}
    </section>
  );
}

/**
 * Updates the URL, so that a reload, the Back button and a shared link show the feed as it is now.
 */
function rememberInUrl(id: string, isExpanded: boolean): void {
  const url = new URL(window.location.href);
  if (isExpanded) url.searchParams.set(expandedParam, id);
  else if (url.searchParams.get(expandedParam) === id) url.searchParams.delete(expandedParam);
  window.history.replaceState(window.history.state, "", url);
}

/** A widget counts as endless, because only the other service knows how many entries it has. */
function countEntries(shows: FeedContent["shows"]): number {
  switch (shows.kind) {
    case "widget":
      return Number.POSITIVE_INFINITY;
    case "headlines":
      return shows.headlines.length;
    case "good-to-know":
      return shows.items.length;
  }
}

type BodyProps = { feed: FeedContent; hasMore: boolean; isExpanded: boolean };

/** The rows of a collapsed box stay as they are when the reader expands it, so that none moves. */
function FeedBody({ feed: { shows, maxItems }, hasMore, isExpanded }: BodyProps) {
  const briefCount = hasMore ? maxItems : 0;
  const end = isExpanded ? undefined : maxItems;
  switch (shows.kind) {
    case "widget":
      return (
        <Embed
          content={isExpanded ? shows.embed : { ...shows.embed, src: shows.limitedSrc }}
          className={isExpanded ? "feed-frame feed-frame-expanded" : "feed-frame"}
        />
      );
    case "headlines":
      return <HeadlineList headlines={shows.headlines.slice(0, end)} briefCount={briefCount} />;
    case "good-to-know":
      return (
        <GoodToKnowList
          items={shows.items.slice(0, end)}
          briefCount={briefCount}
          signature={shows.signature}
        />
      );
  }
}

const reasons = {
  "none-yet": "No live headlines have arrived yet.",
  "none-old-enough":
    "This list has headlines from a week ago and earlier, and none is that old yet.",
  "none-about-place": `No headline has named this neighborhood in the last ${placeDays} days.`,
};

type GoodToKnowContent = Extract<FeedContent["shows"], { kind: "good-to-know" }>;

function Notice({
  reason,
  signature,
  items,
  isExplained,
}: GoodToKnowContent & { isExplained: boolean }) {
  const hasItems = items.length > 0;
  if (isExplained && hasItems)
    return <p className="mt-2 font-semibold text-crab text-sm">Good to know</p>;
  return (
    <p className="mt-2 text-sm">
      {reasons[reason]}
      {hasItems && ` Meanwhile, here are a few things that are good to know, from ${signature}.`}
    </p>
  );
}

type PublishersProps = { publishers: FeedContent["publishers"]; isWaiting: boolean };

function Publishers({ publishers, isWaiting }: PublishersProps) {
  const count = publishers.length;
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit py-1">
        {isWaiting ? "We follow" : "From"} {count} {count === 1 ? "newsroom" : "newsrooms"}
      </summary>
      <ul className="mt-1 flex flex-wrap gap-x-8 gap-y-1">
        {publishers.map(({ name, url, paywall, sourceId }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3">
            <span>
              <ExternalLink href={url} className="inline-block py-1 text-link">
                {name}
              </ExternalLink>
              {paywall && <span className="text-ink-soft"> (subscription)</span>}
            </span>
            <Link
              to={`/archives?source=${sourceId}${followFragment}`}
              className="inline-block rounded-sm border border-line px-2 py-0.5 hover:border-ink"
            >
              Follow<span className="sr-only"> {name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
