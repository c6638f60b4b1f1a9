import { cacheTags, purge } from "../../../platform/tags.ts";
import { type SiteSettings, siteSettingsFile } from "../../brand/files.server.ts";
import { type VisitServices, visitSource } from "../../sources/visit-source.server.ts";
import { weatherFile } from "../files.server.ts";
import { toDocumentId } from "../report.server.ts";
import { weatherTask } from "../tasks.server.ts";
import type { DocumentContent, DocumentKind } from "./read.server.ts";

/** How documents of the Weather Service are requested, also its alerts. */
export const weatherServiceVisits = {
  accept: "application/geo+json, application/json;q=0.9",
  expected: "the expected JSON",
  storesContent: true,
};

const minute = 60_000;
/** The place of the city and its stations hardly ever change. */
const everyMs = {
  point: 24 * 60 * minute,
  stations: 24 * 60 * minute,
  observation: 20 * minute,
  forecast: 60 * minute,
  hourly: 60 * minute,
  air: 60 * minute,
} as const satisfies Record<DocumentKind, number>;
const maxRetryMs = 60 * minute;
/** The largest document, a list of stations, has about 300 KB. */
const maxBytes = 2 * 1024 * 1024;

/**
 * Visits the documents that are due, one after the other. The first ones name the URLs of others.
 */
export async function refreshWeather(services: VisitServices): Promise<void> {
  const settings = services.site.read(weatherFile);
  if (!settings) return;
  const { service, station, air } = settings;
  const city = services.site.read(siteSettingsFile);
  const refresh = async (kind: DocumentKind, url: string): Promise<DocumentContent | null> => {
    const { content } = await visitSource(services, {
      ...weatherServiceVisits,
      id: toDocumentId(kind),
      url,
      pace: { minMs: everyMs[kind], maxMs: everyMs[kind], maxRetryMs },
      maxBytes,
      task: weatherTask,
      input: { kind, timeZone: city.timeZone },
      countItems: () => 1,
      // Pages also show how old the weather may become, so they change even if the weather does
      // not.
      store: (tx) => purge(tx, [cacheTags.weather]),
    });
    return content;
  };
  const point = await refresh("point", pointUrl(service, city));
  if (point && "grid" in point) {
    const grid = `${service}/gridpoints/${point.grid}`;
    const nearest = station ? { station } : await refresh("stations", `${grid}/stations`);
    if (nearest && "station" in nearest && nearest.station)
      await refresh("observation", `${service}/stations/${nearest.station}/observations/latest`);
    await refresh("forecast", `${grid}/forecast`);
    await refresh("hourly", `${grid}/forecast/hourly`);
  }
  if (air) await refresh("air", air.url);
}

/** The Weather Service accepts at most four decimals, without zeros at the end. */
const pointUrl = (service: string, { geo }: SiteSettings) =>
  `${service}/points/${[geo.latitude, geo.longitude].map((each) => Number(each.toFixed(4))).join()}`;
