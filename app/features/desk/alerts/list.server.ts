import { shortTimestamp } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { describeTimes, levelNames } from "../../alerts/describe.ts";
import { isOver } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { listWaiting } from "../../official-alerts/waiting.server.ts";
import type { DeskAlert, WaitingAlert } from "./alerts-page.tsx";

/** The alerts that run or are to come. */
export async function listOpenAlerts(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<DeskAlert[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const now = services.clock();
  return (await readAlerts(services))
    .filter((alert) => !isOver(alert, now))
    .map((alert) => ({
      id: alert.id,
      text: alert.text,
      level: levelNames[alert.level],
      facts: `${describeTimes(alert, timeZone)}${alert.source === "file" ? ", from notice.yaml" : ""}`,
      canChange: alert.source === "editor",
      canEnd: alert.isStored,
    }));
}

/** The official alerts that wait for an editor. */
export async function listWaitingAlerts(
  services: Pick<Services, "site" | "db" | "clock">,
): Promise<WaitingAlert[]> {
  const { timeZone } = services.site.read(siteSettingsFile);
  const waiting = await listWaiting(services.db, services);
  return waiting.map(({ key, headline, description, severity, sender, sentAt, endsAt }) => ({
    key,
    headline,
    description,
    facts: `${severity}. Sent by ${sender}, ${shortTimestamp(sentAt, timeZone)}, until ${shortTimestamp(endsAt, timeZone)}.`,
  }));
}
