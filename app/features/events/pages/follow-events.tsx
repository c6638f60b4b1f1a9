import { Follow } from "../../../ui/share/follow.tsx";
import { announcedDays, type Filter, filterHref, toFeed, toFollowedFilter } from "../model.ts";

type Props = { origin: string; title: string; filter: Filter };

/** The ways to follow the events that a filter selects: as a calendar, a feed or a widget. */
export function FollowEvents({ origin, title, filter }: Props) {
  const followed = toFollowedFilter(filter);
  return (
    <Follow
      origin={origin}
      title={title}
      calendar={filterHref("/events.ics", followed)}
      feed={toFeed(filter)}
      feedNote={`The events of the next ${announcedDays} days, each series with its next date.`}
      widget={filterHref("/embed/events", followed)}
    />
  );
}
