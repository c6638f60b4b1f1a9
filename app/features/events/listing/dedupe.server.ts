import type { CityEvent, CityInfo } from "./city-event.ts";

/**
 * Removes duplicates: events that are in several of these lists. The event in the earlier list
 * stays, so the most trusted list must come first. Two events are duplicates if they have the same
 * title and the same start and are not in different places: many branches of a library may have a
 * story hour at ten o'clock. Events of the same list are never duplicates of each other, because a
 * calendar knows its own events.
 */
export function dedupeEvents(
  lists: CityEvent[][],
  { city, state }: Pick<CityInfo, "city" | "state">,
): CityEvent[] {
  const common = new Set([...commonWords, ...splitWords(`${city} ${state ?? ""}`)]);
  const seen = new Map<string, CityEvent[]>();
  return lists.flatMap((list) => {
    const fresh = list.filter(
      (event) =>
        !(seen.get(dedupeKey(event)) ?? []).some((other) => mayBeSamePlace(other, event, common)),
    );
    for (const event of fresh)
      seen.set(dedupeKey(event), [...(seen.get(dedupeKey(event)) ?? []), event]);
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
 * Words that many places have in their names, like the name of the city, do not distinguish one
 * place from another.
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
