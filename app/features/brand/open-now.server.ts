import { describeOpening, parseOpeningHours } from "../../lib/opening-hours.ts";
import type { PageServices } from "../../platform/services.ts";
import { siteSettingsFile } from "./files.server.ts";

/** Says whether a place is open now. The page expires when that changes. */
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
