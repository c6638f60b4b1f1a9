import type { DonationMemory, Frequency } from "./model.ts";

const neverAgainKey = "donation.never";
const lastShownKey = "donation.lastShown";
const thisSessionKey = "donation.thisSession";

/**
 * If a browser does not allow storage, even reading it throws. Such a reader counts as new on every
 * page load.
 */
function tryStorage<T>(access: () => T, fallback: T): T {
  try {
    return access();
  } catch {
    return fallback;
  }
}

export function readMemory(): DonationMemory {
  return tryStorage(
    () => {
      const lastShown = localStorage.getItem(lastShownKey);
      return {
        neverAgain: localStorage.getItem(neverAgainKey) !== null,
        shownThisSession: sessionStorage.getItem(thisSessionKey) !== null,
        lastShown: lastShown === null ? null : Number(lastShown) || 0,
      };
    },
    { neverAgain: false, shownThisSession: false, lastShown: null },
  );
}

/**
 * Remembers that the pop-up was shown. Stores only what the frequency needs, which is nothing for
 * every-load.
 */
export function rememberShown(frequency: Frequency, now: number): void {
  tryStorage(() => {
    if (frequency === "session") sessionStorage.setItem(thisSessionKey, "1");
    else if (frequency !== "every-load") localStorage.setItem(lastShownKey, String(now));
  }, undefined);
}

export function rememberNever(): void {
  tryStorage(() => localStorage.setItem(neverAgainKey, "1"), undefined);
}
