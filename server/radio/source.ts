/** Where a source puts what it has. */
export type Air = {
  /** Whole frames where the kind of sound has any. */
  play(bytes: Buffer, mediaType: string): void;
  title(title: string | null): void;
  /** There is nothing more to play for now; the source itself goes on trying. */
  lost(): void;
};

/** Sound without end: our own station or somebody else's. Runs only while it is needed. */
export type Source = { start(air: Air): { stop(): void }; close(): void };
