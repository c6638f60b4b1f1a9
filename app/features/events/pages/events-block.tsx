import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { TitleBlock } from "../../../ui/title-list.tsx";
import { eventsPath, type Filter, filterHref, noFilter, type WallItem } from "../model.ts";
import { EventTitles } from "./event-titles.tsx";

type Props = {
  label: string;
  events: WallItem[];
  /** The filter of the events page to which the label leads. */
  filter?: Filter;
};

/** The next events as a block of titles. Nothing in a city without events. */
export function EventsBlock({ label, events, filter = noFilter }: Props) {
  const { place } = filter;
  if (!useHasPage()(eventsPath)) return null;
  return (
    <TitleBlock label={label} to={filterHref(eventsPath, filter)}>
      {events.length > 0 ? (
        <EventTitles events={events} />
      ) : (
        <p className="text-ink-soft text-sm">
          No events {place ? `in ${place.name} ` : ""}are announced yet.
        </p>
      )}
    </TitleBlock>
  );
}
