export const donationDelayMs = 30_000;
export const donationFadeMs = 300;

export const frequencies = ["every-load", "session", "day", "week", "month"] as const;
export type Frequency = (typeof frequencies)[number];

export type Donation = {
  frequency: Frequency;
  heading: string;
  text: string;
  url: string;
  /** When the pop-up may appear, in milliseconds; always if there is no campaign. */
  from: number | null;
  until: number | null;
};

/** What the reader's browser has stored about the pop-up; nothing on a first visit. */
export type DonationMemory = {
  neverAgain: boolean;
  shownThisSession: boolean;
  lastShown: number | null;
  donatedAt: number | null;
};

const dayMs = 24 * 60 * 60 * 1000;
const pauseMs = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs };
/** A reader who pressed Donate Now is not asked again for this long. */
export const quietDays = 90;

/** Whether the pop-up may be shown now. "Don't ask again" overrides every setting. */
export function mayAsk(
  { frequency, from, until }: Pick<Donation, "frequency" | "from" | "until">,
  memory: DonationMemory,
  now: number,
): boolean {
  if (memory.neverAgain) return false;
  if (memory.donatedAt !== null && now - memory.donatedAt < quietDays * dayMs) return false;
  if ((from !== null && now < from) || (until !== null && now >= until)) return false;
  switch (frequency) {
    case "every-load":
      return true;
    case "session":
      return !memory.shownThisSession;
    case "day":
    case "week":
    case "month":
      return memory.lastShown === null || now - memory.lastShown >= pauseMs[frequency];
  }
}
