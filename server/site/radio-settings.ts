/**
 * Offices, schools and many phones share one IP address, but one client must not take up the whole
 * capacity.
 */
export const listenersPerVisitor = 20;

export type RadioSettings = {
  maxListeners: number;
  /** The number of listeners that one IP address may have. */
  maxPerVisitor: number;
  /** How long listeners stay connected while there is no sound. */
  holdMs: number;
  /** How long the station keeps running after the last listener has left. */
  idleMs: number;
};
