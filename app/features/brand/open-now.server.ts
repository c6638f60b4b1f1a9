import { describeOpening, parseOpeningHours } from "../../lib/opening-hours.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "./files.server.ts";

/**
 * Says whether a place with these opening hours is open. The page expires when that changes. Null if
 * the hours are a text such as "By appointment".
 */
export function readOpenNow(
  { site, clock, expireAt }: Pick<PageServices, "site" | "clock" | "expireAt">,
  hours: string,
): string | null {
  const slots = parseOpeningHours(hours);
  const opening = slots && describeOpening(slots, clock(), site.read(siteSettingsFile).timeZone);
  if (!opening) return null;
  expireAt(opening.changesAt);
  return opening.text;
}
