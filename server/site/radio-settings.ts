/**
 * Offices and schools share one address, and so do many phones; but one client must not take every
 * place there is.
 */
export const listenersPerVisitor = 20;

export type RadioSettings = {
  maxListeners: number;
  /** The number of listeners that one IP address may have. */
  maxPerVisitor: number;
  /** How long listeners are held while the station is away. */
  holdMs: number;
  /** How long the station is kept on after the last listener has left. */
  idleMs: number;
};
