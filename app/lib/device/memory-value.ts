import type { DeviceValue } from "./device-value.ts";

/** A value that components of this tab share, without storing it. */
export function createMemoryValue<T>(initial: T): DeviceValue<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    initial,
    read: () => value,
    write(newValue) {
      value = newValue ?? initial;
      for (const listener of listeners) listener();
      return true;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
