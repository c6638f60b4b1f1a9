const offKey = "search.slashOff";

/** Browsers can block storage. Then even reading from it throws. */
function tryStorage<T>(use: () => T, fallback: T): T {
  try {
    return use();
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
