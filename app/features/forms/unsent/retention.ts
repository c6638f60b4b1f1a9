/** The keys of all unsent forms in `localStorage` begin with this. */
export const unsentPrefix = "unsent.";
export const unsentRetentionDays = 30;
const retentionMs = unsentRetentionDays * 24 * 60 * 60 * 1000;

const isExpired = (savedAt: number, now: number) => now - savedAt > retentionMs;

/**
 * Deletes the expired forms of all pages, so that a form that nobody opens again is deleted too.
 */
export function deleteExpiredForms(now: number): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(unsentPrefix)) continue;
      const savedAt = /"savedAt":(\d+)/.exec(localStorage.getItem(key) ?? "")?.[1];
      // What cannot be read cannot be offered either.
      if (savedAt === undefined || isExpired(Number(savedAt), now)) localStorage.removeItem(key);
    }
  } catch {
    // The browser blocks storage, so there is nothing to delete.
  }
}
