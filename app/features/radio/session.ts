import { useSyncExternalStore } from "react";
import type { Loudness, Phase, Problem } from "./model.ts";

/**
 * What the radio of this tab is doing. Every page has it, so it is kept small; the player itself
 * comes with /radio.
 */
type RadioState = {
  phase: Phase;
  problem: Problem | null;
  loudness: Loudness | null;
  title: string | null;
  station: string;
};

const initialState: RadioState = {
  phase: "stopped",
  problem: null,
  loudness: null,
  title: null,
  station: "",
};

let state = initialState;
const watchers = new Set<() => void>();

export const radioState = () => state;

export function setRadioState(change: Partial<RadioState>): void {
  state = { ...state, ...change };
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** On the server, and in the first picture of a page, nothing plays. */
export const useRadioState = () => useSyncExternalStore(watch, radioState, () => initialState);
