import { useState } from "react";
import { createDeviceValue } from "../../lib/device/device-value.ts";
import { toQueryString } from "../../lib/links/query.ts";
import { maxSlugLength, slugPattern } from "../../lib/text/slug.ts";
import { PillLink, PillRow } from "../../ui/choices/pill-row.tsx";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import type { Place } from "./model.ts";

type Props = {
  /** The neighborhoods, perhaps with the number of entries that each link leads to. */
  places: (Place & { count?: number })[];
  current: Place | null;
  /** The path of the page with this neighborhood, or with all of them. */
  href(place: Place | null): string;
};

/** The server does not know the reader's own neighborhood, so the browser moves it to the front. */
export function PlaceChips({ places, current, href }: Props) {
  const own = useDeviceValue(ownPlace);
  if (places.length === 0) return null;
  const ownFirst = places.toSorted(
    (one, other) => Number(other.slug === own) - Number(one.slug === own),
  );
  return (
    <div className="no-print">
      <nav aria-label="Neighborhoods">
        <PillRow isOneLine>
          {[null, ...ownFirst].map((place) => (
            <PillLink
              key={place?.slug ?? ""}
              label={place?.name ?? "All"}
              to={href(place)}
              isOn={place?.slug === current?.slug}
              count={place?.count}
              className={place !== null && place.slug === own ? "pill place-own" : "pill"}
            >
              {place === null && <span className="sr-only"> neighborhoods</span>}
              {place !== null && place.slug === own && (
                <span className="sr-only"> (your neighborhood)</span>
              )}
            </PillLink>
          ))}
        </PillRow>
      </nav>
      {current && (
        <OwnPlaceButton key={current.slug} place={current} isOwn={current.slug === own} />
      )}
    </div>
  );
}

export function LocalChips(props: Omit<Props, "href">) {
  if (props.places.length === 0) return null;
  return (
    <div className="page mt-2">
      <PlaceChips
        {...props}
        href={(place) => `/local${toQueryString({ place: place?.slug ?? null })}`}
      />
    </div>
  );
}

/** Makes a neighborhood the reader's own, or no longer. It is hidden without JavaScript. */
function OwnPlaceButton({ place, isOwn }: { place: Place; isOwn: boolean }) {
  const [note, setNote] = useState("");

  function toggle() {
    if (!ownPlace.write(isOwn ? null : place.slug))
      setNote("Your browser does not let us remember this.");
    else setNote(isOwn ? "" : `Its link is now the first, on this device only.`);
  }

  return (
    <p className="script-only mt-1 flex flex-wrap items-center gap-x-4">
      <button
        type="button"
        className="inline-flex min-h-11 items-center gap-2.5 font-medium hover:underline"
        aria-pressed={isOwn}
        onClick={toggle}
      >
        <span aria-hidden="true" className="place-check" />
        Make this my neighborhood
      </button>
      <span role="status" className="text-ink-soft text-sm">
        {note}
      </span>
    </p>
  );
}

const ownPlace = createDeviceValue<string | null>("places.own", null, (stored) =>
  typeof stored === "string" && stored.length <= maxSlugLength && slugPattern.test(stored)
    ? stored
    : null,
);
