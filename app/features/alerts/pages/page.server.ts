import type { PageServices } from "../../../platform/services.ts";
import { cacheTags } from "../../../platform/tags.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { renderBanner } from "../banner/render.server.tsx";
import { describeTimes, levelNames } from "../describe.ts";
import { type Alert, findNextEnd, isRunning, listRunning } from "../model.ts";
import { readAlerts } from "../store.server.ts";

/** All past alerts are in one list without further pages, so older ones are left out. */
const maxPast = 300;

/** Reads alerts for a page, which is rendered again when one of them changes or ends. */
export async function readPageAlerts(services: PageServices): Promise<Alert[]> {
  services.tags.add(cacheTags.alerts);
  const alerts = await readAlerts(services);
  const next = findNextEnd(alerts, services.clock());
  if (next) services.expireAt(next);
  return alerts;
}

export type ShownAlert = ReturnType<typeof toShown>;

const toShown = (alert: Alert, timeZone: string) => ({
  id: alert.id,
  text: alert.text,
  link: alert.link,
  isUrgent: alert.level === "urgent",
  level: levelNames[alert.level],
  times: describeTimes(alert, timeZone),
});

export async function readAlertsPage(services: PageServices) {
  const { timeZone, origin } = services.site.read(siteSettingsFile);
  const alerts = await readPageAlerts(services);
  const now = services.clock();
  const past = alerts.filter((alert) => !isRunning(alert, now)).slice(0, maxPast);
  return {
    origin,
    running: listRunning(alerts, now).map((alert) => toShown(alert, timeZone)),
    past: past.map((alert) => toShown(alert, timeZone)),
  };
}

/** The alerts that ran at some time between two instants, oldest first. */
export async function listAlertsBetween(services: PageServices, from: Date, until: Date) {
  const { timeZone } = services.site.read(siteSettingsFile);
  return (await readPageAlerts(services))
    .filter(({ startsAt, endsAt }) => startsAt < until && endsAt > from)
    .toReversed()
    .map((alert) => toShown(alert, timeZone));
}

/** The banner, for readers who open one page after the other without loading a document. */
export async function readBanner(services: PageServices): Promise<{ html: string }> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const alerts = await readPageAlerts(services);
  return { html: renderBanner(alerts, services.clock(), timeZone) };
}
