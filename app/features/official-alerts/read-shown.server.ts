import { readSharedOr } from "../../../db/shared-reads.ts";
import { shortTimestamp } from "../../lib/dates.ts";
import type { PageServices } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import type { ShownOfficialAlert } from "./official-alerts.tsx";
import { isShown } from "./plan.ts";
import { storedOfficialAlerts } from "./store.server.ts";

/** Reads the alerts that readers see now, with their whole texts. The page expires with the first. */
export async function readShownOfficialAlerts({
  db,
  site,
  clock,
  tags,
  expireAt,
}: PageServices): Promise<ShownOfficialAlert[]> {
  tags.add(cacheTags.weather);
  const settings = site.read(officialAlertsFile);
  if (!settings) return [];
  const { timeZone } = site.read(siteSettingsFile);
  const now = clock();
  const stored = await readSharedOr(db, storedOfficialAlerts, []);
  const shown = stored.filter((alert) => isShown(alert, settings, now));
  for (const { endsAt } of shown) expireAt(endsAt);
  const showTime = (instant: Date) => ({
    iso: instant.toISOString(),
    shown: shortTimestamp(instant, timeZone),
  });
  return shown
    .toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    .map(({ key, headline, description, instruction, area, sender, sentAt, endsAt }) => ({
      key,
      headline,
      paragraphs: [description, instruction]
        .flatMap((text) => text.split(/\n{2,}/))
        .filter(Boolean),
      area,
      sender,
      sent: showTime(sentAt),
      ends: showTime(endsAt),
    }));
}
