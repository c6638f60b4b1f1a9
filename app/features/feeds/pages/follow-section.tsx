import { toQueryString } from "../../../lib/links/query.ts";
import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { Follow } from "../../../ui/share/follow.tsx";
import type { Place } from "../../places/model.ts";

type Props = {
  origin: string;
  name: string;
  title: string;
  place?: Place | null;
};

/** The ways to follow a section, or the news and events of a neighborhood. */
export function FollowSection({ origin, name, title, place = null }: Props) {
  const hasPage = useHasPage();
  const query = toQueryString({ place: place?.slug ?? null });
  return (
    <Follow
      origin={origin}
      title={title}
      feed={{ path: `/feeds/${name}`, query }}
      widget={`/embed/feeds/${name}${query}`}
      {...(place && hasPage("/events") ? { calendar: `/events.ics${query}` } : {})}
    />
  );
}
