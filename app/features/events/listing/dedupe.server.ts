import type { CityEvent, CityInfo } from "./city-event.ts";

/**
 * Removes events that are in several of these lists. The event in the earliest list stays, so the
 * most trusted list must come first. Duplicates have the same title and start and are not in
 * different places: many branches of a library may have a story hour at ten o'clock. Events of the
 * same list are never duplicates of each other, because a calendar knows its own events.
 */
export function dedupeEvents(
  lists: CityEvent[][],
  { city, state }: Pick<CityInfo, "city" | "state">,
): CityEvent[] {
  const ignoredWords = new Set([...commonWords, ...splitWords(`${city} ${state ?? ""}`)]);
  const seen = new Map<string, CityEvent[]>();
  return lists.flatMap((list) => {
    const newEvents = list.filter(
      (event) =>
        !(seen.get(dedupeKey(event)) ?? []).some((other) =>
          mayBeSamePlace(other, event, ignoredWords),
        ),
    );
    for (const event of newEvents)
      seen.set(dedupeKey(event), [...(seen.get(dedupeKey(event)) ?? []), event]);
    return newEvents;
  });
}

const dedupeKey = ({ title, startsAt, allDay }: CityEvent) =>
  `${splitWords(title).join(" ")} ${startsAt.getTime()} ${allDay}`;

function mayBeSamePlace(one: CityEvent, other: CityEvent, ignoredWords: Set<string>): boolean {
  const [here, there] = [placeWords(one, ignoredWords), placeWords(other, ignoredWords)];
  return here.length === 0 || there.length === 0 || here.some((word) => there.includes(word));
}

/** Words in the names of many places. Like the name of the city, they do not distinguish places. */
const commonWords =
  "the and at of in on branch library libraries center centre park street avenue road room hall building house".split(
    " ",
  );

const placeWords = ({ location }: CityEvent, ignoredWords: Set<string>) =>
  splitWords(location).filter((word) => word.length > 2 && !ignoredWords.has(word));

const splitWords = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, "")
    .split(/\s+/)
    .filter((word) => word !== "");
