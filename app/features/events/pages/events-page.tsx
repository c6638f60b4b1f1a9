import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { PillRow } from "../../../ui/choices/pill-row.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import type { Place } from "../../places/model.ts";
import { PlaceChips } from "../../places/place-chips.tsx";
import type { EventsTexts } from "../files.server.ts";
import {
  eventsPath,
  type Filter,
  filterHref,
  noFilter,
  submitEventPath,
  whenLabels,
  whenValues,
} from "../model.ts";

type Props = {
  texts: Pick<EventsTexts, "heading" | "intro" | "history">;
  categories: string[];
  places: Place[];
  sources: { name: string; url: string }[];
  filter: Filter;
  /** A title for the filtered view, such as "Free events today"; null without a filter. */
  viewTitle: string | null;
  /** The date that the reader chose in the month view. */
  dayLabel: string | null;
  /** The month that the month view shows first. */
  thisMonth: string;
  count: number;
  /** False if the page shows the events wall of another service, which has its own filters. */
  hasFilters: boolean;
  /** The ways to follow these events. */
  follow: ReactNode;
  children: ReactNode;
};

export function EventsPage(props: Props) {
  const { texts, sources, filter, hasFilters, follow, children, ...filters } = props;
  const isMonth = hasFilters && filter.month !== null;
  const heading = useFocusFallback(filterHref(eventsPath, filter));
  return (
    <div className="page">
      <div className="section-head">
        <h1 ref={heading} tabIndex={-1} className="kicker text-2xl md:text-5xl">
          {texts.heading}
        </h1>
        {!filter.day && <p className="section-intro">{texts.intro}</p>}
        {follow}
      </div>
      {hasFilters && <Filters filter={filter} {...filters} />}
      <div
        className={
          isMonth
            ? "mt-6"
            : "mt-2 grid print:block items-start gap-10 md:mt-6 md:grid-cols-[minmax(0,26rem)_1fr] lg:grid-cols-[34rem_1fr] lg:gap-14"
        }
      >
        {children}
        <div className={isMonth ? "mt-14 grid gap-10 md:grid-cols-2" : "space-y-12"}>
          <SubmitAndSources sources={sources} />
          <History history={texts.history} />
        </div>
      </div>
    </div>
  );
}

/**
 * Following a link may remove that link from the page, such as a date of the month view. The
 * heading then gets the focus, so that readers who use a keyboard continue from there.
 */
function useFocusFallback(view: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shownView = useRef(view);
  useEffect(() => {
    const isNew = shownView.current !== view;
    shownView.current = view;
    if (isNew && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [view]);
  return heading;
}

type FilterProps = Pick<
  Props,
  "filter" | "viewTitle" | "dayLabel" | "categories" | "places" | "thisMonth" | "count"
>;

/** The filters are plain links, so every combination has a URL to bookmark and to share. */
function Filters(props: FilterProps) {
  const { filter, viewTitle, dayLabel, categories, places, thisMonth, count } = props;
  const pill = (label: string, to: Filter, isOn: boolean) => (
    <li key={label}>
      <Link
        to={filterHref(eventsPath, to)}
        className="pill"
        aria-current={isOn ? "true" : undefined}
        rel="nofollow"
        preventScrollReset
      >
        {label}
      </Link>
    </li>
  );
  const { place, when, free, category, month, day } = filter;
  const anyTimeFilter = { ...filter, when: null, month: null, day: null };
  const isAnyTime = when === null && month === null && day === null;
  return (
    <>
      <nav aria-label="Filter events" className="no-print mt-2 md:mt-6 md:space-y-3">
        <PillRow>
          {pill("All dates", anyTimeFilter, isAnyTime)}
          {whenValues.map((each) =>
            pill(whenLabels[each], { ...anyTimeFilter, when: each }, when === each),
          )}
          {dayLabel && pill(dayLabel, filter, true)}
          {pill("Month view", { ...anyTimeFilter, month: thisMonth }, month !== null)}
          {pill("Free", { ...filter, free: !free }, free)}
        </PillRow>
        <PillRow>
          {pill("All categories", { ...filter, category: null }, category === null)}
          {categories.map((name) =>
            pill(name, { ...filter, category: category === name ? null : name }, category === name),
          )}
        </PillRow>
      </nav>
      <div className="md:mt-3">
        <PlaceChips
          places={places}
          current={place}
          href={(chosen) => filterHref(eventsPath, { ...filter, place: chosen })}
        />
      </div>
      <p
        role="status"
        className="mt-1 flex flex-wrap items-baseline gap-x-4 text-ink-soft max-md:text-sm md:mt-3"
      >
        <span>
          {viewTitle && !day && `${viewTitle} · `}
          {count === 1 ? "1 event" : `${count} events`}
          {isAnyTime && " in the next two months"}
        </span>
        {(place || when || free || category || day) && (
          <Link
            to={filterHref(eventsPath, { ...noFilter, month })}
            className="no-print text-link inline-block py-0.5"
            preventScrollReset
          >
            Clear all filters
          </Link>
        )}
      </p>
    </>
  );
}

function SubmitAndSources({ sources }: Pick<Props, "sources">) {
  return (
    <section aria-labelledby="take-part" className="no-print">
      <h2 id="take-part" className="text-2xl md:text-3xl">
        Something missing?
      </h2>
      <p className="mt-2 text-ink-soft">
        If it is in or near the city and open to everyone, it belongs here. Listings are free.
      </p>
      <p className="mt-4">
        <Link to={submitEventPath} className="button button-gold">
          Submit an Event
        </Link>
      </p>
      {sources.length > 0 && (
        <p className="mt-5 text-ink-soft text-sm">
          Some events come from other calendars:{" "}
          {sources.map(({ name, url }, index) => (
            <span key={url}>
              {index > 0 && ", "}
              <ExternalLink href={url} className="text-link">
                {name}
              </ExternalLink>
            </span>
          ))}
          .
        </p>
      )}
    </section>
  );
}

function History({ history: { heading, text, links } }: { history: EventsTexts["history"] }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="text-2xl md:text-3xl">
        {heading}
      </h2>
      <p className="mt-2 text-ink-soft">{text}</p>
      <ul className="mt-4">
        {links.map(({ label, url, text: about }) => (
          <li key={url} className="border-line border-t py-3">
            <ExternalLink
              href={url}
              className="text-link inline-block py-0.5 font-semibold text-lg"
            >
              {label}
            </ExternalLink>
            <p className="mt-0.5 text-ink-soft text-sm">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
