import { type ReactNode, useRef } from "react";
import { PillLink, PillRow } from "../../../ui/choices/pill-row.tsx";
import { usePanel } from "../../../ui/hooks/use-panel.ts";
import { Link } from "../../../ui/link.tsx";
import { PlaceChips } from "../../places/place-chips.tsx";
import {
  type CategoryCount,
  eventsPath,
  type Filter,
  filterHref,
  noFilter,
  type PlaceCount,
  wallMonths,
  whenLabels,
  whenValues,
} from "../model.ts";

type Props = {
  filter: Filter;
  /** A title for the filtered view, such as "Free events today". Null without a filter. */
  viewTitle: string | null;
  /** The date that the reader chose in the month view. */
  dayLabel: string | null;
  categories: CategoryCount[];
  places: PlaceCount[];
  thisMonth: string;
  count: number;
};

const categoriesId = "events-categories";
const placesId = "events-places";
/** On these screens, the neighborhoods are a row of their own and not in a panel. */
const hasRow = "(min-width: 64rem)";

export function Filters(props: Props) {
  const { filter, viewTitle, dayLabel, categories, places, thisMonth, count } = props;
  const panel = useRef<HTMLDivElement>(null);
  usePanel(panel);
  const pill = (label: string, to: Filter, isOn: boolean, events?: number) => (
    <PillLink
      key={label}
      label={label}
      to={filterHref(eventsPath, to)}
      isOn={isOn}
      count={events}
      rel="nofollow"
    />
  );
  const { place, when, free, category, month, day } = filter;
  const anyTimeFilter = { ...filter, when: null, month: null, day: null };
  const isAnyTime = when === null && month === null && day === null;
  return (
    <>
      <nav
        aria-label="Filter events"
        className="no-print mt-2 md:mt-6 md:flex md:flex-wrap md:gap-2"
      >
        <PillRow>
          {pill("All dates", anyTimeFilter, isAnyTime)}
          {whenValues.map((each) =>
            pill(whenLabels[each], { ...anyTimeFilter, when: each }, when === each),
          )}
          {dayLabel && pill(dayLabel, filter, true)}
          {pill("Month view", { ...anyTimeFilter, month: thisMonth }, month !== null)}
        </PillRow>
        <PillRow>
          {pill("Free", { ...filter, free: !free }, free)}
          <PanelButton panel={categoriesId} label="Category" chosen={category} />
          {places.length > 0 && (
            <PanelButton
              panel={placesId}
              label="Neighborhood"
              chosen={place?.name ?? null}
              className="lg:hidden"
            />
          )}
        </PillRow>
        <div ref={panel} id={categoriesId} popover="auto" className="sheet drop-panel">
          <PillRow>
            {pill("All categories", { ...filter, category: null }, category === null)}
            {categories.map(({ name, count }) =>
              pill(
                name,
                { ...filter, category: category === name ? null : name },
                category === name,
                count,
              ),
            )}
          </PillRow>
        </div>
      </nav>
      <Neighborhoods places={places} filter={filter} />
      <p
        role="status"
        className="mt-1 flex flex-wrap items-baseline gap-x-4 text-ink-soft max-md:text-sm md:mt-3"
      >
        <span>
          {viewTitle && !day && `${viewTitle} · `}
          {count === 1 ? "1 event" : `${count} events`}
          {isAnyTime && ` in the next ${wallMonths} months`}
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

type ButtonProps = { panel: string; label: string; chosen: string | null; className?: string };

function PanelButton({ panel, label, chosen, className }: ButtonProps): ReactNode {
  return (
    <li className={className}>
      <button
        type="button"
        className="pill"
        popoverTarget={panel}
        aria-current={chosen === null ? undefined : "true"}
      >
        {chosen === null ? label : <span className="sr-only">{label}: </span>}
        {chosen}
        <span aria-hidden="true" className="ml-1.5">
          ▾
        </span>
      </button>
    </li>
  );
}

/** The neighborhoods that have events: a panel or, on a wide screen, a row below the other filters. */
function Neighborhoods({ places, filter }: Pick<Props, "places" | "filter">) {
  const panel = useRef<HTMLElement>(null);
  usePanel(panel, hasRow);
  if (places.length === 0) return null;
  return (
    <section
      ref={panel}
      id={placesId}
      popover="auto"
      aria-labelledby={`${placesId}-title`}
      className="sheet drop-panel place-row"
    >
      <h2
        id={`${placesId}-title`}
        className="pb-2 text-xl/[1.3] lg:shrink-0 lg:py-2.5 lg:font-sans lg:font-semibold lg:text-sm lg:tracking-normal"
      >
        By neighborhood
      </h2>
      <PlaceChips
        places={places}
        current={filter.place}
        href={(chosen) => filterHref(eventsPath, { ...filter, place: chosen })}
      />
    </section>
  );
}
