import { type SourceHealth, toSourceHealth } from "../../lib/external/source-visits.server.ts";
import type { Services } from "../../platform/services.ts";
import { weatherFile } from "./files.server.ts";
import type { DocumentKind } from "./import/read.server.ts";
import { findTime, maxAgeMs } from "./report.server.ts";
import { weatherDocuments } from "./schema.server.ts";

const service = "National Weather Service";

/** Returns the state of each document that pages show. What is too old to be shown is a failure. */
export async function weatherHealth({
  db,
  site,
  clock,
}: Pick<Services, "db" | "site" | "clock">): Promise<SourceHealth[]> {
  const settings = site.read(weatherFile);
  if (!settings) return [];
  const rows = await db.select().from(weatherDocuments);
  const names: Partial<Record<DocumentKind, string>> = {
    observation: `${service}: current weather`,
    forecast: `${service}: forecast`,
    hourly: `${service}: hourly forecast`,
    ...(settings.air && { air: settings.air.name }),
  };
  // The others cannot be visited while the Weather Service does not say which ones they are.
  const located = { point: `${service}: place of the forecast`, stations: `${service}: stations` };
  const isFailing = (id: string) => rows.some((row) => row.id === id && row.cause !== null);
  const shown = [
    ...Object.entries(located).filter(([id]) => isFailing(id)),
    ...Object.entries(names),
  ];
  return shown.map(([id, name]) => {
    const row = rows.find((each) => each.id === id);
    const source = { id: `weather-${id}`, name, sections: ["weather"] };
    if (!row) return toSourceHealth(source, undefined);
    const time = findTime(row);
    const isStale = id in names && time !== null && clock().getTime() - time.getTime() >= maxAgeMs;
    return toSourceHealth(source, {
      ...row,
      items: row.content ? 1 : 0,
      ...(isStale && row.cause === null ? { cause: "stale" as const } : {}),
    });
  });
}
