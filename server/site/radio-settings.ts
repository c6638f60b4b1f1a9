/**
 * How many listeners one visitor may have. Offices, schools and many phones share one IP address,
 * but one client must not take up the entire capacity.
 */
export const maxListenersPerVisitor = 20;

export type RadioSettings = {
  maxListeners: number;
  /** The number of listeners that one visitor may have. */
  maxPerVisitor: number;
  /** How long listeners stay connected while there is no audio. */
  holdMs: number;
  /** How long the station keeps running after the last listener has left. */
  idleMs: number;
};
