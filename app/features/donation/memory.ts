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

/**
 * Remembers that the pop-up was shown. If it may appear on every page load, there is nothing to
 * remember.
 */
export function rememberShown(frequency: Frequency, now: number): void {
  if (frequency === "session") rememberThisSession();
  else if (frequency !== "every-load") lastShown.write(now);
}

/**
 * If the browser does not allow storage, reading throws an error. Then we assume that the pop-up was
 * not shown in this session.
 */
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
