import type { CityEvent, CityInfo } from "./city-event.ts";

/**
 * Removes events that several of these lists have: those with the same title and start that are not
 * in different places, because many branches of a library may have a story hour at ten o'clock. The
 * most trusted list comes first. Events of the same list are never duplicates, because a calendar
 * knows its own events.
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

/** Words in the names of many places, like the name of the city itself. */
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
