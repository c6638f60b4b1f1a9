import type { DonationMemory, Frequency } from "./model.ts";

const neverKey = "donation.never";
const lastShownKey = "donation.lastShown";
const thisSessionKey = "donation.thisSession";

/**
 * Storage may be switched off, and then even looking at it throws: the reader is then always new.
 */
function attempt<T>(use: () => T, otherwise: T): T {
  try {
    return use();
  } catch {
    return otherwise;
  }
}

export function readMemory(): DonationMemory {
  return attempt(
    () => {
      const lastShown = localStorage.getItem(lastShownKey);
      return {
        never: localStorage.getItem(neverKey) !== null,
        shownThisSession: sessionStorage.getItem(thisSessionKey) !== null,
        lastShown: lastShown === null ? null : Number(lastShown) || 0,
      };
    },
    { never: false, shownThisSession: false, lastShown: null },
  );
}

/** Keeps no more than the setting needs: nothing at all for every-load. */
export function rememberShown(frequency: Frequency, now: number): void {
  attempt(() => {
    if (frequency === "session") sessionStorage.setItem(thisSessionKey, "1");
    else if (frequency !== "every-load") localStorage.setItem(lastShownKey, String(now));
  }, undefined);
}

export function rememberNever(): void {
  attempt(() => localStorage.setItem(neverKey, "1"), undefined);
}
