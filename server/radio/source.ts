/** Receives what a source plays. */
export type AudioOutput = {
  /** Plays bytes. MP3 has to come in whole frames. */
  play(bytes: Buffer, mediaType: string): void;
  title(title: string | null): void;
  /** Reports that there is nothing to play for now. The source keeps trying. */
  lost(): void;
};

/** An endless source of sound: our own station or a relayed one. Runs only while it is needed. */
export type Source = { start(output: AudioOutput): { stop(): void }; close(): void };
