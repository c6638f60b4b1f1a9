import { type ReactNode, useRef } from "react";
import { CityImage } from "../../../ui/city-image.tsx";
import { useRestoredScroll } from "../../../ui/hooks/use-restored-scroll.ts";
import { Link } from "../../../ui/link.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import {
  eventsPath,
  type Filter,
  filterHref,
  submitEventPath,
  toSavedEvent,
  type WallDay,
  type WallItem,
} from "../model.ts";

type Props = { days: WallDay[]; moreCount: number; filter: Filter };

/**
 * A tall box with its own scrollbar. It is focusable, so that readers can scroll it with the
 * keyboard (WCAG 2.1.1). On small screens it is part of the page.
 */
export function Wall({ days, moreCount, filter }: Props) {
  const wall = useRef<HTMLElement>(null);
  useRestoredScroll(wall);
  if (days.length === 0) return <EmptyWall filter={filter} />;
  return (
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: readers who use a keyboard scroll the box while it has the focus
    <section ref={wall} className="events-wall" aria-label="Events" tabIndex={0}>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: readers who use a keyboard scroll the box while it has the focus */}
      <WallDays days={days} />
      {moreCount > 0 && (
        <p className="py-5 text-ink-soft md:px-5">
          And {moreCount} more. Choose a date or a category above to see them all.
        </p>
      )}
    </section>
  );
}

export const WallDays = ({ days }: { days: WallDay[] }) => (
  <Days days={days} show={(item) => <WallEntry item={item} />} />
);

type DaysProps<Item> = {
  days: { day: string; heading: string; items: Item[] }[];
  show(item: Item): ReactNode;
};

/** Events or meetings, under a heading for each day. */
export const Days = <Item extends { id: string }>({ days, show }: DaysProps<Item>) =>
  days.map(({ day, heading, items }) => (
    <div key={day} className="wall-day">
      <h2 className="wall-heading">{heading}</h2>
      <ul>
        {items.map((item) => (
          <li key={`${item.id} ${day}`}>{show(item)}</li>
        ))}
      </ul>
    </div>
  ));

function WallEntry({ item }: { item: WallItem }) {
  return (
    <article className="wrap-anywhere relative flex items-start gap-4 py-4">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2 font-semibold text-ink-soft text-label">
          {item.repeats === null ? item.category : `${item.category} · ${item.repeats}`}{" "}
          {item.isSample && <span className="mark">Sample</span>}
        </p>
        <h3 className="mt-0.5 text-xl">
          <Link to={item.path} className="cover-link scroll-mt-14">
            {item.title}
          </Link>
        </h3>
        <div className="save-row mt-1 text-sm">
          <p>
            <span className="font-semibold">{item.timeLine}</span>
            {item.location && <span className="text-ink-soft">&nbsp;· {item.location}</span>}
            {item.price !== null && (
              <>
                &nbsp;· <span className="font-semibold">{item.price}</span>
              </>
            )}
          </p>
          <SaveButton item={toSavedEvent(item)} />
        </div>
      </div>
      {item.image && <CityImage image={item.image} load="later" sizes="card" className="thumb" />}
    </article>
  );
}

/**
 * This box is only as tall as its text: an empty tall box would push the rest off a small screen.
 */
function EmptyWall({ filter }: Pick<Props, "filter">) {
  const isFiltered = filterHref(eventsPath, filter) !== eventsPath;
  return (
    <section className="sheet empty w-full" aria-label="Events">
      <p className="font-semibold font-serif text-3xl">No events found</p>
      <p className="max-w-xs text-ink-soft">
        {!isFiltered
          ? "We know of no event in the next weeks. Tell us what we are missing."
          : filter.place
            ? `We know of no event in ${filter.place.name} that matches your filters. Try other dates, or tell us what we are missing.`
            : "No events match your filters. Try other dates, or tell us what we are missing."}
      </p>
      <p className="flex flex-wrap justify-center gap-3">
        {isFiltered && (
          <Link to={eventsPath} className="button button-plain">
            See all events
          </Link>
        )}
        <Link to={submitEventPath} className="button button-gold">
          Submit an event
        </Link>
      </p>
    </section>
  );
}
