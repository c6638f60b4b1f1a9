import { TitleBlock } from "../../../ui/title-list.tsx";
import type { Place } from "../../places/model.ts";
import { eventsPath, filterHref, noFilter, type WallItem } from "../model.ts";
import { EventTitles } from "./event-titles.tsx";

type Props = {
  label: string;
  /** Null if they could not be read. */
  events: WallItem[] | null;
  /** The neighborhood in which the events take place, if they are only those. */
  place?: Place | null;
};

/** The next events as a block of titles. */
export function EventsBlock({ label, events, place = null }: Props) {
  return (
    <TitleBlock label={label} to={filterHref(eventsPath, { ...noFilter, place })}>
      {events !== null && events.length > 0 ? (
        <EventTitles events={events} />
      ) : (
        <p className="text-ink-soft text-sm">
          {events
            ? `No events ${place ? `in ${place.name} ` : ""}are announced yet.`
            : "The calendar lists what is coming up."}
        </p>
      )}
    </TitleBlock>
  );
}
