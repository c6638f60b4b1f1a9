import type { Database } from "../../../db/database.ts";
import type { Services } from "../../platform/services.ts";
import { officialAlertsFile } from "./files.server.ts";
import { isHidden, isWaiting, type OfficialAlert } from "./plan.ts";
import { officialAlerts } from "./schema.server.ts";
import { decide } from "./store.server.ts";

type WaitingServices = Pick<Services, "site" | "clock">;

/** Lists the official alerts that an editor has to decide about. */
export async function listWaiting(
  db: Database,
  { site, clock }: WaitingServices,
): Promise<OfficialAlert[]> {
  const settings = site.read(officialAlertsFile);
  if (!settings) return [];
  const stored = await db.select().from(officialAlerts);
  return stored.filter((alert) => isWaiting(alert, settings, clock()));
}

/** Lists the official alerts that an editor hid, and that still apply. */
export async function listHidden(
  db: Database,
  { clock }: Pick<WaitingServices, "clock">,
): Promise<OfficialAlert[]> {
  const stored = await db.select().from(officialAlerts);
  return stored.filter((alert) => isHidden(alert, clock()));
}

/** Decides about an alert that waits, or shows one that was hidden. Null if it is neither. */
export async function decideWaiting(
  tx: Database,
  services: WaitingServices,
  key: string,
  decision: "approved" | "hidden",
): Promise<OfficialAlert | null> {
  const { site, clock } = services;
  const settings = site.read(officialAlertsFile);
  const open = [
    ...(await listWaiting(tx, services)),
    ...(decision === "approved" ? await listHidden(tx, services) : []),
  ];
  const alert = open.find((each) => each.key === key);
  if (!settings || !alert) return null;
  await decide(tx, clock, settings, key, decision);
  return alert;
}
