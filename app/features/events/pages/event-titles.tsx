import { TitleList } from "../../../ui/title-list.tsx";
import type { WallItem } from "../model.ts";

type Props = {
  events: WallItem[];
  /** Whether to show only the times, on a page about one day. */
  isOneDay?: boolean;
};

/** The next events on a page about something else. */
export function EventTitles({ events, isOneDay = false }: Props) {
  return (
    <TitleList
      items={events.map(({ id, title, dateTile, timeLine, location, isSample }) => ({
        to: `/events/${id}`,
        title,
        isSample,
        facts: [
          ...(isOneDay ? [] : [`${dateTile.weekday}, ${dateTile.month} ${dateTile.day}`]),
          timeLine,
          ...(isOneDay && location !== "" ? [location] : []),
        ].join(" · "),
      }))}
    />
  );
}
