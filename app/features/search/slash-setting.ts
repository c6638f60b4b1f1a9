const offKey = "search.slashOff";

/** Returns the fallback if the browser blocks storage, in which case even reading throws. */
function tryStorage<T>(accessStorage: () => T, fallback: T): T {
  try {
    return accessStorage();
  } catch {
    return fallback;
  }
}

export const isSlashKeyOn = () => tryStorage(() => localStorage.getItem(offKey) === null, true);

/** Stores only that the key is off, so that nothing is stored by default. */
export const saveSlashKey = (isOn: boolean) =>
  tryStorage(
    () => (isOn ? localStorage.removeItem(offKey) : localStorage.setItem(offKey, "1")),
    undefined,
  );
