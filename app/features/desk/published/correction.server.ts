import { calendarDay } from "../../../lib/dates.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { maxCorrectionLength } from "./model.ts";

/**
 * Returns what an editor typed as a correction of today, or why it cannot be one. `isPublished`: it
 * was published today already.
 */
export function readCorrection(
  { site, clock }: Pick<Services, "site" | "clock">,
  typed: string,
  published: Correction[],
): { correction: Correction; isPublished: boolean } | { message: string } {
  const text = stripControlCharacters(typed).trim();
  if (text === "") return { message: "Please write what was wrong, and what is right." };
  if (text.length > maxCorrectionLength)
    return { message: `A correction can have at most ${maxCorrectionLength} characters.` };
  const date = calendarDay(clock(), site.read(siteSettingsFile).timeZone);
  const same = published.find((each) => toTypographic(each.text) === toTypographic(text));
  if (same && same.date !== date) return { message: "This correction is published already." };
  return { correction: { date, text }, isPublished: same !== undefined };
}
