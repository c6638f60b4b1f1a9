import { daysBefore, shortTimestamp } from "../../../lib/dates.ts";
import { describeTimes, levelNames } from "../../alerts/describe.ts";
import { type Alert, isOver } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { OfficialAlert } from "../../official-alerts/plan.ts";
import { listHidden, listWaitingAlerts } from "../../official-alerts/store.server.ts";
import { readNotice } from "../log/log.server.ts";
import type { Desk } from "../services.ts";

const pastDays = 7;

const sentences: Record<string, string> = {
  "put up": "Every page shows it now",
  extended: "It runs one hour longer",
  changed: "Every page shows the new version now",
  ended: "You ended it",
  deleted: "You deleted it from every page and from the archive",
  approved: "Every page shows it now",
  hidden: "Readers do not see it",
};

export type DeskAlert = ReturnType<typeof toDeskAlert>;

const toDeskAlert = (alert: Alert, timeZone: string) => ({
  id: alert.id,
  text: alert.text,
  link: alert.link ?? "",
  level: alert.level,
  levelName: levelNames[alert.level],
  facts: `${describeTimes(alert, timeZone)}${alert.source === "file" ? ", from notice.yaml" : ""}`,
  /** Whether an editor put it up. Others change where they come from. */
  canChange: alert.source === "editor",
  /** False for an alert that only the file has, because the database did not respond. */
  canEnd: alert.isStored,
});

export type AlertsContent = Awaited<ReturnType<typeof showAlerts>>;

/** The alerts that run, are to come or wait for an editor, and our own that ended lately. */
export async function showAlerts(desk: Desk) {
  const { timeZone } = desk.site.read(siteSettingsFile);
  const now = desk.clock();
  const alerts = await readAlerts(desk);
  const running = alerts.filter((alert) => !isOver(alert, now));
  const isPast = (alert: Alert) =>
    isOver(alert, now) && alert.canDelete && alert.endsAt > daysBefore(now, pastDays);
  return {
    alerts: running.map((alert) => toDeskAlert(alert, timeZone)),
    past: alerts.filter(isPast).map((alert) => toDeskAlert(alert, timeZone)),
    /** What this editor has just done. Somebody may have shown an alert again that it ended. */
    notice: await readNotice(
      desk,
      { kinds: ["alert", "urgent alert", "official alert"] },
      ({ action, title, items }) =>
        action in sentences && !(action === "ended" && running.some(({ id }) => items.includes(id)))
          ? `${sentences[action]}: ${title}`
          : undefined,
    ),
    waiting: toOfficial(await listWaitingAlerts(desk.db, desk), timeZone),
    /** Official alerts that an editor hid, and that still apply. */
    hidden: toOfficial(await listHidden(desk.db, desk), timeZone),
  };
}

const toOfficial = (alerts: OfficialAlert[], timeZone: string) =>
  alerts.map(({ key, headline, description, severity, sender, sentAt, endsAt }) => ({
    key,
    headline,
    description,
    facts: `${severity}. Sent by ${sender}, ${shortTimestamp(sentAt, timeZone)}, until ${shortTimestamp(endsAt, timeZone)}.`,
  }));
