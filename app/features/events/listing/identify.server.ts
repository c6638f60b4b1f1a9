import type { CityEvent } from "./describe.server.ts";

/**
 * Shows an event once that two calendars name. They must call it the same, begin it at the same moment and not place it
 * elsewhere: a story hour at ten o'clock is in many branches of a library. The first of two stays, so `lists` stand in
 * the order in which they are trusted. Within one list nothing is taken for a twin: a calendar knows its own events.
 */
export function withoutTwins(lists: CityEvent[][]): CityEvent[] {
  const kept = new Map<string, CityEvent[]>();
  return lists.flatMap((list) => {
    const fresh = list.filter(
      (event) => !(kept.get(keyOf(event)) ?? []).some((twin) => mayBeAt(twin, event)),
    );
    for (const event of fresh) kept.set(keyOf(event), [...(kept.get(keyOf(event)) ?? []), event]);
    return fresh;
  });
}

const keyOf = ({ title, startsAt, allDay }: CityEvent) =>
  `${wordsOf(title).join(" ")} ${startsAt.getTime()} ${allDay}`;

function mayBeAt(one: CityEvent, other: CityEvent): boolean {
  const [here, there] = [placeWords(one), placeWords(other)];
  return here.length === 0 || there.length === 0 || here.some((word) => there.includes(word));
}

/** Words that many places share say nothing about which one it is. */
const common = new Set(
  "the and at of in on branch library libraries center centre park street avenue road room hall building house baltimore maryland".split(
    " ",
  ),
);
const placeWords = ({ location }: CityEvent) =>
  wordsOf(location).filter((word) => word.length > 2 && !common.has(word));

const wordsOf = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, "")
    .split(/\s+/)
    .filter((word) => word !== "");
