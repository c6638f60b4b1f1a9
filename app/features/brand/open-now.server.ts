import { describeOpening, parseOpeningHours } from "../../lib/opening-hours.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "./files.server.ts";

/**
 * Says whether a place with these opening hours is open. The page expires when that changes. Null
 * without opening hours, and for a text such as "By appointment".
 */
export function readOpenNow(
  { site, clock, expireAt }: Pick<PageServices, "site" | "clock" | "expireAt">,
  hours: string | undefined,
): string | null {
  const slots = hours ? parseOpeningHours(hours) : null;
  const opening = slots && describeOpening(slots, clock(), site.read(siteSettingsFile).timeZone);
  if (!opening) return null;
  expireAt(opening.changesAt);
  return opening.text;
}
