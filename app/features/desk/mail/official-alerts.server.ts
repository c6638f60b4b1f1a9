import { shortTimestamp } from "../../../lib/dates.ts";
import type { Services } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { listWaiting } from "../../official-alerts/store.server.ts";
import { deskFile } from "../files.server.ts";
import { deskAlertsPath } from "../model.ts";

/**
 * Emails the editors once about each official alert that waits for one of them, and again if it
 * becomes worse.
 */
export async function mailWaitingAlerts({
  db,
  clock,
  site,
  mail,
}: Pick<Services, "db" | "clock" | "site"> & {
  mail: Pick<Services["mail"], "wake">;
}): Promise<void> {
  const editors = site.read(deskFile)?.editors ?? [];
  const { origin, timeZone } = site.read(siteSettingsFile);
  let isQueued = false;
  for (const alert of editors.length > 0 ? await listWaiting(db, { site, clock }) : [])
    for (const { email } of editors) {
      const { key, severity, headline, sender, endsAt } = alert;
      const isNew = await queueMail(db, clock, {
        key: `official-alert:${key}:${severity}:${email}`,
        to: email,
        subject: "An official alert waits for an editor",
        text: `${headline}\n${severity}, sent by ${sender}, until ${shortTimestamp(endsAt, timeZone)}.\n\nReaders see it on every page as soon as an editor shows it there:\n${origin}${deskAlertsPath}\n`,
      });
      isQueued ||= isNew;
    }
  if (isQueued) mail.wake();
}
