import { daysBefore, shortTimestamp } from "../../../lib/dates.ts";
import { describeTimes, levelNames } from "../../alerts/describe.ts";
import { type Alert, isRunning } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import type { OfficialAlert } from "../../official-alerts/plan.ts";
import { listHidden, listWaitingAlerts } from "../../official-alerts/store.server.ts";
import type { DeskServices } from "../services.ts";
import { describeContent } from "./write-alerts.server.ts";

const pastDays = 7;

export type DeskAlert = ReturnType<typeof toDeskAlert>;

const toDeskAlert = (alert: Alert, timeZone: string) => ({
  id: alert.id,
  text: alert.text,
  link: alert.link ?? "",
  level: alert.level,
  levelName: levelNames[alert.level],
  facts: `${describeTimes(alert, timeZone)}${alert.issuer === "file" ? ", from notice.yaml" : ""}`,
  /** Whether an editor published it. Others change where they come from. */
  canChange: alert.issuer === "editor",
  canEnd: alert.isStored,
  /** The form sends this, so that it overwrites nothing that the editor has not seen. */
  seen: describeContent(alert),
});

export type AlertsContent = Awaited<ReturnType<typeof showAlerts>>;

/** The alerts that run or wait for an editor, and our own that ended lately. */
export async function showAlerts(desk: DeskServices) {
  const { timeZone } = desk.site.read(siteSettingsFile);
  const now = desk.clock();
  const alerts = await readAlerts(desk);
  const running = alerts.filter((alert) => isRunning(alert, now));
  const isPast = (alert: Alert) =>
    !isRunning(alert, now) && alert.canDelete && alert.endsAt > daysBefore(now, pastDays);
  return {
    alerts: running.map((alert) => toDeskAlert(alert, timeZone)),
    past: alerts.filter(isPast).map((alert) => toDeskAlert(alert, timeZone)),
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
