import type { CityEvent, CityInfo } from "./city-event.ts";

/**
 * Removes events that two calendars name: the first one stays, so `lists` are in the order in which
 * they are trusted. Two events are the same if they have the same title, begin at the same moment
 * and are not in different places: a story hour at ten o'clock is in many branches of a library.
 * Within one list nothing is a duplicate: a calendar knows its own events.
 */
export function dedupeEvents(
  lists: CityEvent[][],
  place: Pick<CityInfo, "city" | "state">,
): CityEvent[] {
  const common = new Set([...commonWords, ...splitWords(`${place.city} ${place.state ?? ""}`)]);
  const kept = new Map<string, CityEvent[]>();
  return lists.flatMap((list) => {
    const fresh = list.filter(
      (event) =>
        !(kept.get(dedupeKey(event)) ?? []).some((other) => mayBeSamePlace(other, event, common)),
    );
    for (const event of fresh)
      kept.set(dedupeKey(event), [...(kept.get(dedupeKey(event)) ?? []), event]);
    return fresh;
  });
}

const dedupeKey = ({ title, startsAt, allDay }: CityEvent) =>
  `${splitWords(title).join(" ")} ${startsAt.getTime()} ${allDay}`;

function mayBeSamePlace(one: CityEvent, other: CityEvent, common: Set<string>): boolean {
  const [here, there] = [placeWords(one, common), placeWords(other, common)];
  return here.length === 0 || there.length === 0 || here.some((word) => there.includes(word));
}

/**
 * Words that many places share, as they share the name of the city, do not tell one place from
 * another.
 */
const commonWords =
  "the and at of in on branch library libraries center centre park street avenue road room hall building house".split(
    " ",
  );

const placeWords = ({ location }: CityEvent, common: Set<string>) =>
  splitWords(location).filter((word) => word.length > 2 && !common.has(word));

const splitWords = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, "")
    .split(/\s+/)
    .filter((word) => word !== "");
