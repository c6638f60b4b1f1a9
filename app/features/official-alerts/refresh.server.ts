import { eq } from "drizzle-orm";
import type { Services } from "../../platform/services.ts";
import { sourceDocuments } from "../sources/schema.server.ts";
import {
  readVisitHealth,
  type SourceState,
  type VisitServices,
  visitSource,
} from "../sources/visit-source.server.ts";
import { weatherServiceVisits } from "../weather/import/refresh.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import type { AlertList } from "./read.server.ts";
import { applyList, endStale } from "./store.server.ts";
import { officialAlertsTask } from "./tasks.server.ts";

const minute = 60_000;
const documentId = "alerts:official";
const everyMs = 2 * minute;
const maxRetryMs = 10 * minute;
const maxBytes = 5 * 1024 * 1024;
/** If the Weather Service could not be asked for longer, its alerts are not shown. */
const maxAgeMs = 30 * minute;

/** Asks the Weather Service for its alerts if that is due, and hides them if it fails for long. */
export async function refreshOfficialAlerts(services: VisitServices): Promise<void> {
  const { site, db, clock } = services;
  const settings = site.read(officialAlertsFile);
  // Without the settings, nothing is asked, so what was shown becomes stale.
  if (settings) {
    const { service, zones } = settings;
    await visitSource(services, {
      ...weatherServiceVisits,
      id: documentId,
      url: `${service}/alerts/active?zone=${zones.join()}`,
      pace: { minMs: everyMs, maxMs: everyMs, maxRetryMs },
      maxBytes,
      task: officialAlertsTask,
      input: {},
      isOlder,
      store: (tx, list) => applyList(tx, clock, settings, list),
    });
  }
  const [state] = await db.select().from(sourceDocuments).where(eq(sourceDocuments.id, documentId));
  if (isStale(state, clock()))
    await db.transaction((tx) => endStale(tx, clock, settings ?? { show: [], ask: [] }));
}

/** A cache between us and the Weather Service may send a list from before the last one. */
const isOlder = (list: AlertList, last: AlertList) =>
  list.updatedAt !== null && last.updatedAt !== null && list.updatedAt < last.updatedAt;

const isStale = (state: SourceState | undefined, now: Date) =>
  now.getTime() - (state?.lastSuccessAt?.getTime() ?? 0) >= maxAgeMs;

/** The state of the source. That its alerts are hidden counts as a failure. */
export const officialAlertHealth = async ({
  db,
  site,
  clock,
}: Pick<Services, "db" | "site" | "clock">) =>
  site.read(officialAlertsFile)
    ? readVisitHealth(
        db,
        [{ id: documentId, name: "National Weather Service: alerts", sections: ["alerts"] }],
        (state) => isStale(state, clock()),
      )
    : [];
