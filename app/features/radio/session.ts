import { useSyncExternalStore } from "react";
import type { Loudness, Phase, Problem } from "./model.ts";
import type { BroadcastItem } from "./schedule/model.ts";

/** The radio in this tab. Every page loads this module; the player is loaded with /radio. */
export type RadioState = {
  phase: Phase;
  problem: Problem | null;
  loudness: Loudness | null;
  title: string | null;
  station: string;
  /** The minutes until the sleep timer stops the radio; null if the timer is off. */
  sleepMinutes: number | null;
  broadcasts: BroadcastItem[];
  /** The station's image in several sizes, for the lock screen. */
  artwork: { src: string; sizes: string; type: string }[];
};

const initialState: RadioState = {
  phase: "stopped",
  problem: null,
  loudness: null,
  title: null,
  station: "",
  sleepMinutes: null,
  broadcasts: [],
  artwork: [],
};

let state = initialState;
const listeners = new Set<() => void>();

export const radioState = () => state;

export function setRadioState(changes: Partial<RadioState>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** On the server, and in the first render in the browser, nothing plays. */
export const useRadioState = () => useSyncExternalStore(subscribe, radioState, () => initialState);
