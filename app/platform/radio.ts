/** A title that the radio played, and when it began. */
export type PlayedTitle = { title: string; startedAt: Date };

/** What pages may know about the radio. */
export type RadioHistory = {
  /** Returns what was on this node's radio in the last hour, the latest first. */
  readPlayed(): Promise<PlayedTitle[]>;
};
