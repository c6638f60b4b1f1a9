import { useSyncExternalStore } from "react";
import type { DeviceValue } from "../../lib/device/device-value.ts";

/** Reads a value from the device. The server and the first render use its initial value. */
export const useDeviceValue = <T>(value: DeviceValue<T>): T =>
  useSyncExternalStore(value.subscribe, value.read, () => value.initial);
