import type { FeedExtension } from "../../../lib/links/feed-formats.ts";
import { type FeedEntry, feedResponse } from "../../../lib/links/feed-response.server.ts";
import type { PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { describeTimes, levelNames } from "../describe.ts";
import { alertFeedPath, alertsPath } from "../model.ts";
import { readPageAlerts } from "./page.server.ts";

const maxEntries = 30;

/** A feed of the newest alerts. Each entry says when the alert ends or ended. */
export async function alertFeed(services: PageServices, extension: FeedExtension) {
  const { name, city, origin, timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  const alerts = (await readPageAlerts(services)).slice(0, maxEntries);
  const entries = alerts.map(
    (alert): FeedEntry => ({
      id: `${origin}${alertsPath}#${alert.id}`,
      title: alert.level === "urgent" ? `Urgent: ${alert.text}` : alert.text,
      link: alert.link ?? `${alertsPath}#${alert.id}`,
      summary: `${levelNames[alert.level]}, ${describeTimes(alert, timeZone)}`,
      publishedAt: alert.startsAt,
      updatedAt: alert.updatedAt > alert.startsAt ? alert.updatedAt : undefined,
      authors: [name],
    }),
  );
  return feedResponse(
    extension,
    {
      title: `Alerts | ${name}`,
      description: `Urgent messages and notices for ${city}.`,
      origin,
      page: alertsPath,
      path: alertFeedPath,
      now,
    },
    entries,
  );
}
