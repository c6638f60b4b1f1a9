import { toQueryString } from "../../../lib/links/query.ts";
import { Follow } from "../../../ui/share/follow.tsx";
import type { Place } from "../../places/model.ts";

type Props = {
  origin: string;
  /** The name of the section. */
  name: string;
  title: string;
  place?: Place | null;
};

/** The ways to follow a section, or the news and events of a neighborhood. */
export function FollowSection({ origin, name, title, place = null }: Props) {
  const query = toQueryString({ place: place?.slug ?? null });
  return (
    <Follow
      origin={origin}
      title={title}
      feed={{ path: `/feeds/${name}`, query }}
      widget={`/embed/feeds/${name}${query}`}
      {...(place ? { calendar: `/events.ics${query}` } : {})}
    />
  );
}
