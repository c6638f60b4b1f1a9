const offKey = "search.slashOff";

/** Storage may be switched off, and then even looking at it throws. */
function tryStorage<T>(use: () => T, otherwise: T): T {
  try {
    return use();
  } catch {
    return otherwise;
  }
}

export const isSlashKeyOn = () => tryStorage(() => localStorage.getItem(offKey) === null, true);

/** Only that it is off is remembered. */
export const saveSlashKey = (isOn: boolean) =>
  tryStorage(
    () => (isOn ? localStorage.removeItem(offKey) : localStorage.setItem(offKey, "1")),
    undefined,
  );
