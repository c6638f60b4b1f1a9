import type { SourceHealth } from "../../lib/external/source-visits.server.ts";
import type { Services } from "../../platform/services.ts";
import { readVisitHealth } from "../sources/visit.server.ts";
import { weatherFile } from "./files.server.ts";
import { findTime, maxAgeMs, toDocumentId } from "./report.server.ts";

const service = "National Weather Service";

/** Returns the state of each document that pages show. What is too old to be shown is a failure. */
export async function weatherHealth({
  db,
  site,
  clock,
}: Pick<Services, "db" | "site" | "clock">): Promise<SourceHealth[]> {
  const settings = site.read(weatherFile);
  if (!settings) return [];
  const now = clock().getTime();
  // They say which ones the others are.
  const located = [
    { id: toDocumentId("point"), name: `${service}: place of the forecast` },
    { id: toDocumentId("stations"), name: `${service}: stations` },
  ];
  const shown = [
    { id: toDocumentId("observation"), name: `${service}: current weather` },
    { id: toDocumentId("forecast"), name: `${service}: forecast` },
    { id: toDocumentId("hourly"), name: `${service}: hourly forecast` },
    ...(settings.air ? [{ id: toDocumentId("air"), name: settings.air.name }] : []),
  ];
  return [
    ...(await readVisitHealth(db, located, "weather")).filter(({ state }) => state === "failing"),
    ...(await readVisitHealth(db, shown, "weather", (state) => {
      const time = findTime(state);
      return time !== null && now - time.getTime() >= maxAgeMs;
    })),
  ];
}
