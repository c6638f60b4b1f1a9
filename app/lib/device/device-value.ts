/**
 * A value that the reader's browser stores and never sends to us. Every tab sees a change at once.
 */
export type DeviceValue<T> = {
  /** The value of a reader who has stored nothing. The server renders with it. */
  initial: T;
  /** Returns the same object until the stored text changes, as `useSyncExternalStore` needs. */
  read(): T;
  /**
   * Stores a value, or removes it if it is null. Returns false if the browser blocks storage or has
   * no space left. The caller should tell the reader.
   */
  write(value: T | null): boolean;
  /** Calls the listener after a change in this tab or in another one. */
  subscribe(listener: () => void): () => void;
};

/**
 * Declares a value in `localStorage` or, if only this tab may know it, in `sessionStorage`. What was
 * stored may be of an older version or edited by hand. If `parse` throws, the initial value is used.
 */
export function createDeviceValue<T>(
  key: string,
  initial: T,
  parse: (stored: unknown) => T,
  storage: "localStorage" | "sessionStorage" = "localStorage",
): DeviceValue<T> {
  const listeners = new Set<() => void>();
  let lastText: string | null = null;
  let lastValue = initial;

  const parseText = (text: string | null): T => {
    try {
      return text === null ? initial : parse(JSON.parse(text));
    } catch {
      return initial;
    }
  };

  const onStorage = (event: StorageEvent) => {
    // The key is null if the whole storage was cleared.
    if (event.key === key || event.key === null) for (const listener of listeners) listener();
  };

  return {
    initial,

    read() {
      const text = readText(storage, key);
      if (text !== lastText) {
        lastText = text;
        lastValue = parseText(text);
      }
      return lastValue;
    },

    write(value) {
      try {
        if (value === null) globalThis[storage].removeItem(key);
        else globalThis[storage].setItem(key, JSON.stringify(value));
      } catch {
        return false;
      }
      for (const listener of listeners) listener();
      return true;
    },

    subscribe(listener) {
      if (listeners.size === 0) addEventListener("storage", onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) removeEventListener("storage", onStorage);
      };
    },
  };
}

/** Whether a stored value is a time in milliseconds since 1970. Other numbers may not be a date. */
export const isTime = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= maxTime;

/** The latest time that JavaScript's `Date` can represent (ECMA-262, "Time Values"). */
const maxTime = 8.64e15;

/** If a browser blocks storage, even reading throws. Such a reader counts as new. */
function readText(storage: "localStorage" | "sessionStorage", key: string): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Whether the browser lets the site store nothing at all. */
export function isStorageBlocked(): boolean {
  try {
    localStorage.getItem("");
    return false;
  } catch {
    return true;
  }
}

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
