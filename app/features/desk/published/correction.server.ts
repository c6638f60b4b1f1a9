import { calendarDay } from "../../../lib/dates.ts";
import { stripControlCharacters } from "../../../lib/text/plain-text.ts";
import { toTypographic } from "../../../lib/text/typography/typography.ts";
import type { Services } from "../../../platform/services.ts";
import type { Correction } from "../../../site-files/article-fields.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { maxCorrectionLength } from "./model.ts";

/**
 * Returns what an editor typed as a correction of today, or why it cannot be one. Somebody who
 * presses the button twice publishes it once.
 */
export function readCorrection(
  { site, clock }: Pick<Services, "site" | "clock">,
  typed: string,
  published: Correction[],
): { correction: Correction } | { message: string } {
  const text = stripControlCharacters(typed).trim();
  if (text === "") return { message: "Please write what was wrong, and what is right." };
  if (text.length > maxCorrectionLength)
    return { message: `A correction can have at most ${maxCorrectionLength} characters.` };
  if (published.some((each) => toTypographic(each.text) === toTypographic(text)))
    return { message: "This correction is published already." };
  return { correction: { date: calendarDay(clock(), site.read(siteSettingsFile).timeZone), text } };
}
