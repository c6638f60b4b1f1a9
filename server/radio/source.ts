import type { PlayedTitle } from "../../app/platform/services.ts";

/** Receives what a source plays. */
export type AudioOutput = {
  /** Plays bytes. MP3 has to come in complete frames. */
  play(bytes: Buffer, mediaType: string): void;
  setTitle(title: string | null): void;
  /** Reports that there is nothing to play for now. The source keeps trying. */
  reportLost(): void;
};

/**
 * An endless source of audio: our own station or a relayed one. It runs only while it is needed.
 */
export type Source = {
  start(output: AudioOutput): { stop(): void };
  /** Returns what the source played in the last hour, as far as it knows, the latest first. */
  readPlayed(): Promise<PlayedTitle[]>;
  close(): void;
};

const historyMs = 60 * 60 * 1000;
/** More titles than any station plays in an hour. A relayed station may send as many as it likes. */
export const maxPlayedTitles = 80;

/** `endedAt` is null for the title that is on. */
type Played = PlayedTitle & { endedAt: Date | null };

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
     * Stations send a title again and again, and after every reconnect, so a repeated title counts
     * once. Null means that the latest title is over, for example because somebody is talking or
     * the connection to the station ended.
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
    read: (): PlayedTitle[] => limitToLastHour(played, now()),
  };
}
