import { TitleBlock } from "../../../ui/title-list.tsx";
import { eventsPath, type WallItem } from "../model.ts";
import { EventTitles } from "./event-titles.tsx";

/** The next events as a block of titles. `events` is null if they could not be read. */
export function EventsBlock({ label, events }: { label: string; events: WallItem[] | null }) {
  return (
    <TitleBlock label={label} to={eventsPath}>
      {events !== null && events.length > 0 ? (
        <EventTitles events={events} />
      ) : (
        <p className="text-ink-soft text-sm">
          {events ? "No events are announced yet." : "The calendar lists what is coming up."}
        </p>
      )}
    </TitleBlock>
  );
}
