import { eq } from "drizzle-orm";
import { type SourceHealth, toSourceHealth } from "../../lib/external/source-visits.server.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile, siteUserAgent } from "../brand/files.server.ts";
import { refreshDocument, type VisitServices } from "../weather/import/visit.server.ts";
import { weatherDocuments } from "../weather/schema.server.ts";
import { officialAlertsFile } from "./files.server.ts";
import type { AlertList } from "./read.server.ts";
import { applyList, endStale } from "./store.server.ts";
import { officialAlertsTask } from "./worker-task.server.ts";

const minute = 60_000;
const documentId = "alerts";
const everyMs = 2 * minute;
const maxRetryMs = 10 * minute;
const maxBytes = 5 * 1024 * 1024;
/** If the Weather Service could not be asked for longer, its alerts are not shown. */
const maxAgeMs = 30 * minute;

/** Asks the Weather Service for its alerts if that is due, and hides them if it fails for long. */
export async function refreshOfficialAlerts({
  site,
  ...services
}: Omit<VisitServices, "userAgent"> & Pick<Services, "site">): Promise<void> {
  const { db, clock } = services;
  const settings = site.read(officialAlertsFile);
  // Without the settings, nothing is asked, so what was shown becomes stale.
  if (settings) {
    const { service, zones } = settings;
    const userAgent = siteUserAgent(site.read(siteSettingsFile));
    await refreshDocument(
      { ...services, userAgent },
      {
        id: documentId,
        url: `${service}/alerts/active?zone=${zones.join()}`,
        everyMs,
        maxRetryMs,
        maxBytes,
        task: officialAlertsTask,
        input: {},
        isOlder,
        onSuccess: (tx, list) => applyList(tx, clock, settings, list),
      },
    );
  }
  if (isStale(await findState(db), clock()))
    await db.transaction((tx) => endStale(tx, clock, settings ?? { show: [], ask: [] }));
}

/** A cache between us and the Weather Service may send a list from before the last one. */
const isOlder = (list: AlertList, last: AlertList) =>
  list.updatedAt !== null && last.updatedAt !== null && list.updatedAt < last.updatedAt;

type State = typeof weatherDocuments.$inferSelect;

async function findState(db: Services["db"]): Promise<State | undefined> {
  const [row] = await db.select().from(weatherDocuments).where(eq(weatherDocuments.id, documentId));
  return row;
}

const isStale = (state: State | undefined, now: Date) =>
  now.getTime() - (state?.lastSuccessAt?.getTime() ?? 0) >= maxAgeMs;

/** The state of the source. That its alerts are hidden counts as a failure. */
export async function officialAlertHealth({
  db,
  site,
  clock,
}: Pick<Services, "db" | "site" | "clock">): Promise<SourceHealth[]> {
  if (!site.read(officialAlertsFile)) return [];
  const state = await findState(db);
  const source = {
    id: "official-alerts",
    name: "National Weather Service: alerts",
    sections: ["alerts"],
  };
  if (!state) return [toSourceHealth(source, undefined)];
  const cause = state.cause ?? (isStale(state, clock()) ? "stale" : null);
  return [toSourceHealth(source, { ...state, cause, items: 0 })];
}
