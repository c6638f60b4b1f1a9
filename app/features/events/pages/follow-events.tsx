import { Follow } from "../../../ui/share/follow.tsx";
import { type Filter, filterHref, toFollowedFilter } from "../model.ts";

type Props = { origin: string; title: string; filter: Filter };

/** The ways to follow the events that a filter selects: as a calendar, and as a widget. */
export function FollowEvents({ origin, title, filter }: Props) {
  const followed = toFollowedFilter(filter);
  return (
    <Follow
      origin={origin}
      title={title}
      calendar={filterHref("/events.ics", followed)}
      widget={filterHref("/embed/events", followed)}
    />
  );
}
