import { createDeviceValue } from "../../lib/device/device-value.ts";
import type { DonationMemory, Frequency } from "./model.ts";

export const neverAgain = createDeviceValue("donation.never", false, Boolean);
const createTime = (key: string) =>
  createDeviceValue<number | null>(key, null, (stored) => Number(stored) || 0);
const lastShown = createTime("donation.lastShown");
/** When the reader pressed Donate Now. */
export const donatedAt = createTime("donation.donatedAt");
const thisSessionKey = "donation.thisSession";

export const readMemory = (): DonationMemory => ({
  neverAgain: neverAgain.read(),
  shownThisSession: readThisSession(),
  lastShown: lastShown.read(),
  donatedAt: donatedAt.read(),
});

/** Remembers that the pop-up was shown, unless it may appear on every page load. */
export function rememberShown(frequency: Frequency, now: number): void {
  if (frequency === "session") rememberThisSession();
  else if (frequency !== "every-load") lastShown.write(now);
}

/** A browser that blocks storage throws. We then assume that the pop-up was not shown. */
function readThisSession(): boolean {
  try {
    return sessionStorage.getItem(thisSessionKey) !== null;
  } catch {
    return false;
  }
}

function rememberThisSession(): void {
  try {
    sessionStorage.setItem(thisSessionKey, "1");
  } catch {
    // The pop-up may appear again on the next page load.
  }
}
