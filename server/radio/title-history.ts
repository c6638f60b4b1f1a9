import type { PlayedTitle } from "../../app/platform/radio.ts";

const historyMs = 60 * 60 * 1000;
/** More titles than any station plays in an hour. A relayed station may send as many as it likes. */
export const maxPlayedTitles = 80;

/** Returns what began in the last hour, the latest first. */
export const limitToLastHour = (played: PlayedTitle[], now: number): PlayedTitle[] =>
  played.filter(({ startedAt }) => now - startedAt.getTime() < historyMs).slice(0, maxPlayedTitles);

/** Remembers the titles that a relayed station sends. */
export function createTitleHistory(now: () => number) {
  let played: PlayedTitle[] = [];
  return {
    /** Stations send a title again and again, and after every reconnect. It counts once. */
    add(title: string | null): void {
      if (title === null || title === played[0]?.title) return;
      played = limitToLastHour([{ title, startedAt: new Date(now()) }, ...played], now());
    },
    read: () => limitToLastHour(played, now()),
  };
}
