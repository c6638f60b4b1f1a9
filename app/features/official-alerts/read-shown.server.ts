import { readSharedOr } from "../../../db/shared-reads.ts";
import { shortTimestamp } from "../../lib/dates.ts";
import type { PageServices } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import { isShown, severities } from "./plan.ts";
import { officialAlertId, storedOfficialAlerts } from "./store.server.ts";

/**
 * The Weather Service breaks a line if the next word would make it longer, also on wide screens.
 */
const brokenAt = 60;

/**
 * Joins the lines of a sentence, so that they fill a phone's screen. Short lines and lists stay.
 */
function joinBrokenLines(text: string): string {
  const lines = text.split("\n");
  return lines
    .map((line, index) => {
      const [next = ""] = lines[index + 1]?.split(" ", 1) ?? [];
      const isBroken = /^[^\s*-]/.test(next) && line.length + 1 + next.length > brokenAt;
      return index === lines.length - 1 ? line : line + (isBroken ? " " : "\n");
    })
    .join("");
}

/**
 * Reads the alerts that readers see now, with their whole texts. The page expires when the first
 * of them ends.
 */
export async function readShownOfficialAlerts(services: PageServices) {
  const { db, site, clock, tags, expireAt } = services;
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
    .toSorted(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        b.sentAt.getTime() - a.sentAt.getTime(),
    )
    .map(({ key, headline, description, instruction, area, sender, sentAt, endsAt }) => ({
      id: officialAlertId(key),
      headline,
      paragraphs: [description, instruction]
        .flatMap((text) => text.split(/\n{2,}/))
        .filter(Boolean)
        .map(joinBrokenLines),
      area,
      sender,
      sent: showTime(sentAt),
      ends: showTime(endsAt),
    }));
}
