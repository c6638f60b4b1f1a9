import { toQueryString } from "../../lib/links/query.ts";
import { Link } from "../../ui/link.tsx";
import { type Place, placeDays } from "./model.ts";

type Props = { place: Place; sectionHeading: string };

export function EmptyPlace({ place, sectionHeading }: Props) {
  return (
    <section className="page mt-8" aria-labelledby="empty-place">
      <div className="empty border-line border-y">
        <h2 id="empty-place" className="text-3xl">
          Nothing from {place.name} in the last {placeDays} days
        </h2>
        <p className="max-w-md text-ink-soft">
          As soon as a headline, a story or an event names {place.name}, it appears here. Until
          then, look at the whole city, or search our archive.
        </p>
        <p className="flex flex-wrap justify-center gap-3">
          <Link to="/local" className="button button-plain">
            All {sectionHeading}
          </Link>
          <Link to={`/search${toQueryString({ q: place.name })}`} className="button button-gold">
            Search for {place.name}
          </Link>
        </p>
      </div>
    </section>
  );
}
