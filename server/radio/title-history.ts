import type { PlayedTitle } from "../../app/platform/radio.ts";

const historyMs = 60 * 60 * 1000;
/** More titles than any station plays in an hour. A relayed station may send as many as it likes. */
export const maxPlayedTitles = 80;

/** `endedAt` is null for the title that is on. */
type Played = PlayedTitle & { endedAt: Date | null };

/** Returns what was on in the last hour, the latest first. */
export const limitToLastHour = (played: Played[], now: number): Played[] =>
  played
    .filter(({ endedAt }) => endedAt === null || now - endedAt.getTime() < historyMs)
    .slice(0, maxPlayedTitles);

/** Remembers the titles that a relayed station sends. */
export function createTitleHistory(now: () => number) {
  let played: Played[] = [];
  const endLatest = () =>
    played.map((each) => ({ ...each, endedAt: each.endedAt ?? new Date(now()) }));
  return {
    /**
     * Stations send a title again and again, and after every reconnect. It counts once. An empty
     * title (null) means that the latest one is over, for example because somebody is talking.
     */
    add(title: string | null): void {
      const [latest] = played;
      if (title === null) played = endLatest();
      else if (latest?.title === title) latest.endedAt = null;
      else
        played = limitToLastHour(
          [{ title, startedAt: new Date(now()), endedAt: null }, ...endLatest()],
          now(),
        );
    },
    /** The connection to the station ended, so nobody knows what it plays. */
    end(): void {
      played = endLatest();
    },
    read: (): PlayedTitle[] => limitToLastHour(played, now()),
  };
}
