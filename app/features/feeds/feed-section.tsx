import { useState } from "react";
import { Embed } from "../embeds/embed.tsx";
import { HeadlineList } from "./headline-list.tsx";
import type { FeedContent } from "./model.ts";

/** Collapsed and expanded, as the specification has them. */
const height = { collapsed: "h-[400px] print:h-auto", expanded: "h-[800px] print:h-auto" };

type Props = {
  feed: FeedContent;
  /** Where the feed stands: without JavaScript the button asks for the same page with this feed expanded. */
  page: string;
  /** What else was asked of that page, such as a month of the archive, and is to be asked again. */
  alongside?: Asked;
};

export type Asked = [name: string, value: string][];

export function FeedSection({ feed, page, alongside = [] }: Props) {
  const { id, title, description, maxItems, shows } = feed;
  const [isExpanded, setExpanded] = useState(feed.isExpanded);
  const boxHeight = isExpanded ? height.expanded : height.collapsed;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="min-w-0">
      <h2 id={`${id}-title`} className="text-2xl md:text-3xl">
        {title}
      </h2>
      <p className="mt-1.5 text-ink-soft">{description}</p>
      {shows.kind === "widget" ? (
        <div id={`${id}-list`} className="mt-4">
          <Embed
            content={isExpanded ? shows.embed : { ...shows.embed, src: shows.limitedSrc }}
            className={boxHeight}
          />
        </div>
      ) : (
        <section
          id={`${id}-list`}
          className={`feed-box mt-4 ${boxHeight}`}
          aria-label={`${title}, headlines`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
          tabIndex={0}
        >
          <HeadlineList
            headlines={isExpanded ? shows.headlines : shows.headlines.slice(0, maxItems)}
            isBrief={!isExpanded}
          />
        </section>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <form
          action={`${page}#${id}`}
          onSubmit={(event) => {
            event.preventDefault();
            setExpanded(!isExpanded);
            // The page gets shorter above the button: whoever pressed it is not to lose it.
            const form = event.currentTarget;
            requestAnimationFrame(() => form.scrollIntoView({ block: "nearest" }));
          }}
        >
          {alongside.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {!isExpanded && <input type="hidden" name="all" value={id} />}
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
        {shows.kind === "headlines" && shows.asOf !== null && (
          <p className="text-ink-soft text-sm">As of {shows.asOf}. Newer ones could not be fetched since.</p>
        )}
      </div>
    </section>
  );
}
