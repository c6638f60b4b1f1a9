import type { PlayedTitle } from "../../app/platform/radio.ts";

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
