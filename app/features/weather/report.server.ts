import { like } from "drizzle-orm";
import { readSharedOr, type SharedRead } from "../../../db/shared-reads.ts";
import { addDays, calendarDay, clockTime, formatByZone, nextMidnight } from "../../lib/dates.ts";
import type { PageServices, Services } from "../../platform/services.ts";
import { cacheTags } from "../../platform/tags.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { sourceDocuments } from "../sources/schema.server.ts";
import { readVisitHealth } from "../sources/visit-source.server.ts";
import { weatherFile } from "./files.server.ts";
import type { DocumentContents, DocumentKind, Observation, Period } from "./import/read.server.ts";
import { computeSunTimes } from "./sun.ts";

/** Older weather is not shown. */
const maxAgeMs = 3 * 60 * 60_000;
const dayCount = 7;
const hourCount = 24;

const prefix = "weather:";
export const toDocumentId = (kind: DocumentKind) => `${prefix}${kind}`;

type StoredDocument = Pick<typeof sourceDocuments.$inferSelect, "id" | "content" | "lastSuccessAt">;

export const storedWeather: SharedRead<StoredDocument[]> = {
  name: "weather",
  tags: [cacheTags.weather],
  load: (db) => {
    const { id, content, lastSuccessAt } = sourceDocuments;
    return db
      .select({ id, content, lastSuccessAt })
      .from(sourceDocuments)
      .where(like(id, `${prefix}%`));
  },
};

/** How old the content is: since it was measured or, if it does not say so, since we checked it. */
function findTime({ content, lastSuccessAt }: Pick<StoredDocument, "content" | "lastSuccessAt">) {
  if (!content || !lastSuccessAt) return null;
  const measuredAt = "at" in content ? Date.parse(String(content.at)) : Number.POSITIVE_INFINITY;
  return new Date(Math.min(measuredAt, lastSuccessAt.getTime()));
}

/** Reads the content that is new enough. The page expires when the first of it is too old. */
async function readFreshContent(
  services: PageServices,
): Promise<<Kind extends DocumentKind>(kind: Kind) => DocumentContents[Kind] | null> {
  const { db, site, clock, tags, expireAt } = services;
  tags.add(cacheTags.weather);
  const rows = site.read(weatherFile) ? await readSharedOr(db, storedWeather, []) : [];
  return <Kind extends DocumentKind>(kind: Kind) => {
    const row = rows.find(({ id }) => id === toDocumentId(kind));
    const time = row ? findTime(row) : null;
    if (!row || !time) return null;
    const end = new Date(time.getTime() + maxAgeMs);
    if (end <= clock()) return null;
    expireAt(end);
    // The row of a document has what its reader returned.
    return row.content as DocumentContents[Kind];
  };
}

/**
 * Returns the weather in one line, such as "54°, partly cloudy · Tonight: low 41°" Null if nothing
 * is known. The page expires when the line must change.
 */
export async function readWeatherLine(services: PageServices): Promise<string | null> {
  const find = await readFreshContent(services);
  const observation = find("observation");
  const [period] = listCurrent(find("forecast")?.periods, services.clock());
  if (period) services.expireAt(new Date(period.endsAt));
  const parts = [
    observation?.temperature == null
      ? null
      : [showDegrees(observation.temperature), toSentence(observation.text).toLowerCase()]
          .filter(Boolean)
          .join(", "),
    period && `${period.name}: ${showExtreme(period)}`,
  ];
  return parts.filter(Boolean).join(" · ") || null;
}

/**
 * Reads what /weather shows. Temperatures are whole degrees Fahrenheit. What is unknown is null,
 * but sunrise and sunset are computed, so they are always known.
 */
export async function readWeather(services: PageServices) {
  const { site, clock, expireAt } = services;
  const { timeZone, geo } = site.read(siteSettingsFile);
  const now = clock();
  const today = calendarDay(now, timeZone);
  expireAt(nextMidnight(now, timeZone));
  const find = await readFreshContent(services);
  const [observation, air] = [find("observation"), find("air")];
  const periods = listCurrent(find("forecast")?.periods, now);
  const hours = listCurrent(find("hourly")?.periods, now).slice(0, hourCount);
  for (const [first] of [periods, hours]) if (first) expireAt(new Date(first.endsAt));
  const startsOn = (day: string) => (period: Period) =>
    calendarDay(new Date(period.startsAt), timeZone) === day;
  const days = Array.from({ length: dayCount }, (_, index) => addDays(today, index));
  const airSource = site.read(weatherFile)?.air;
  return {
    now: observation && describeNow(observation, timeZone),
    today: periods.filter(startsOn(today)).map(toForecastPeriod),
    tomorrow: periods.filter(startsOn(addDays(today, 1))).map(toForecastPeriod),
    days: days.flatMap((day) => {
      const ofDay = periods.filter(startsOn(day));
      return ofDay.length === 0 ? [] : [describeDay(day, today, ofDay)];
    }),
    hours: hours.map(({ startsAt, temperature, rain, text }) => ({
      iso: startsAt,
      shown: formats.hour(timeZone).format(new Date(startsAt)),
      temperature: Math.round(temperature),
      rain,
      text: toSentence(text),
    })),
    sun: days.slice(0, 2).flatMap((day, index) => {
      const times = computeSunTimes(day, geo);
      const name = index === 0 ? "Today" : "Tomorrow";
      const show = (instant: Date) => showTime(instant, timeZone);
      return times ? [{ name, rise: show(times.rise), set: show(times.set) }] : [];
    }),
    air:
      air && airSource
        ? { ...air, source: airSource.name, time: showTime(new Date(air.at), timeZone) }
        : null,
  };
}

export type WeatherReport = Awaited<ReturnType<typeof readWeather>>;

const formats = {
  hour: formatByZone({ hour: "numeric" }),
  weekday: formatByZone({ weekday: "long" }),
};

const listCurrent = (periods: Period[] = [], now: Date) =>
  periods.filter(({ endsAt }) => Date.parse(endsAt) > now.getTime());

const showTime = (instant: Date, timeZone: string) => ({
  iso: instant.toISOString(),
  shown: clockTime(instant, timeZone),
});

const showDegrees = (temperature: number) => `${Math.round(temperature)}°`;

const showExtreme = ({ isDaytime, temperature }: Period) =>
  `${isDaytime ? "high" : "low"} ${showDegrees(temperature)}`;

/** The Weather Service writes "Partly Cloudy". */
const toSentence = (text: string) => text.charAt(0) + text.slice(1).toLowerCase();

function describeNow(observation: Observation, timeZone: string) {
  const { temperature, feelsLike, humidity, windMph, windDegrees, text, station, at } = observation;
  if (temperature === null) return null;
  const isFelt = feelsLike !== null && Math.abs(feelsLike - temperature) >= 1;
  const wind = windMph !== null && Math.round(windMph);
  const direction = windDegrees === null ? "" : `${nameDirection(windDegrees)} `;
  const facts = [
    isFelt && { label: "Feels like", value: showDegrees(feelsLike) },
    wind !== false && { label: "Wind", value: wind === 0 ? "Calm" : `${direction}${wind} mph` },
    humidity !== null && { label: "Humidity", value: `${Math.round(humidity)}%` },
  ];
  return {
    temperature: Math.round(temperature),
    text: toSentence(text),
    facts: facts.filter((fact) => fact !== false),
    station,
    time: showTime(new Date(at), timeZone),
  };
}

const directions = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const nameDirection = (degrees: number) => directions[Math.round(degrees / 45) % 8] ?? "";

const toForecastPeriod = ({ name, temperature, isDaytime, details, text }: Period) => ({
  name,
  temperature: Math.round(temperature),
  isDaytime,
  details: details || text,
});

function describeDay(day: string, today: string, periods: Period[]) {
  const high = periods.find(({ isDaytime }) => isDaytime);
  // Before dawn, the first period is the rest of the last night.
  const low = periods.findLast(({ isDaytime }) => !isDaytime);
  const rains = periods.flatMap(({ rain }) => (rain === null ? [] : [rain]));
  return {
    day,
    name: day === today ? "Today" : formats.weekday("UTC").format(new Date(day)),
    high: high ? Math.round(high.temperature) : null,
    low: low ? Math.round(low.temperature) : null,
    text: toSentence((high ?? low)?.text ?? ""),
    rain: rains.length === 0 ? null : Math.max(...rains),
  };
}

export const describeWeatherPage = (city: string) => ({
  title: `Weather in ${city}`,
  description: `The weather in ${city} now, today, tomorrow and for the next seven days, hour by hour, with sunrise, sunset and air quality.`,
});

/**
 * Returns the state of each document that pages show. A document too old to be shown has failed.
 */
export async function weatherHealth({ db, site, clock }: Pick<Services, "db" | "site" | "clock">) {
  const settings = site.read(weatherFile);
  if (!settings) return [];
  const now = clock().getTime();
  const toSource = (kind: DocumentKind, what: string) => ({
    id: toDocumentId(kind),
    name: `National Weather Service: ${what}`,
    sections: ["weather"],
  });
  // These two documents contain the URLs of the others.
  const located = [toSource("point", "place of the forecast"), toSource("stations", "stations")];
  const shown = [
    toSource("observation", "current weather"),
    toSource("forecast", "forecast"),
    toSource("hourly", "hourly forecast"),
    ...(settings.air ? [{ ...toSource("air", ""), name: settings.air.name }] : []),
  ];
  return [
    ...(await readVisitHealth(db, located)).filter(({ state }) => state === "failing"),
    ...(await readVisitHealth(db, shown, (state) => {
      const time = findTime(state);
      return time !== null && now - time.getTime() >= maxAgeMs;
    })),
  ];
}
