import { createMemoryValue } from "../../lib/device/device-value.ts";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import type { BroadcastItem, Loudness, Phase, Problem } from "./model.ts";

/**
 * The state of the radio in this tab. Every page loads this module, so it is small; the player
 * itself is loaded with /radio.
 */
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

const state = createMemoryValue<RadioState>({
  phase: "stopped",
  problem: null,
  loudness: null,
  title: null,
  station: "",
  sleepMinutes: null,
  broadcasts: [],
  artwork: [],
});

export const radioState = state.read;

export function setRadioState(changes: Partial<RadioState>): void {
  state.write({ ...state.read(), ...changes });
}

export const useRadioState = () => useDeviceValue(state);
