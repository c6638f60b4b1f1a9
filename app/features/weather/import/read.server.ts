import { z } from "zod";
import { writtenInstant } from "../../../lib/dates.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";

export type DocumentKind = keyof typeof readers;

/** What we use of each document of the Weather Service. Temperatures are in °F. */
export type DocumentContents = {
  [Kind in DocumentKind]: NonNullable<ReturnType<(typeof readers)[Kind]>>;
};
export type DocumentContent = DocumentContents[DocumentKind];
export type Observation = DocumentContents["observation"];
export type Period = DocumentContents["forecast"]["periods"][number];

export type ReadOptions = { kind: DocumentKind; timeZone: string };

/** Reads a document of the Weather Service or of AirNow. Null if it is something else. */
export function readDocument(
  body: Uint8Array,
  { kind, timeZone }: ReadOptions,
): DocumentContent | null {
  try {
    return readers[kind](JSON.parse(new TextDecoder().decode(body)), timeZone);
  } catch (error) {
    // JSON.parse and zod throw these for a document that is not what it should be.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

const maxTextLength = 1_000;
const maxPeriods = 14;
/** Two days, so that there are 24 hours even if the forecast is a day old. */
const maxHours = 48;

/** JSON in the database accepts neither control characters nor half of a surrogate pair. */
const shortText = z
  .string()
  .transform((text) => toSafeLine(text).slice(0, maxTextLength).toWellFormed());
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());
const percent = z.number().min(0).max(100);
const degrees = z.number().min(-200).max(200);
/** Stations leave out what they did not measure, or send null. */
const measured = z
  .object({ unitCode: z.string().nullish(), value: z.number().nullable() })
  .nullish();

const point = z.object({
  properties: z.object({
    gridId: z.string().regex(/^[A-Z]{3}$/),
    gridX: z.int().min(0).max(9_999),
    gridY: z.int().min(0).max(9_999),
  }),
});

const stations = z.object({
  features: z
    .array(
      z.object({
        properties: z.object({
          stationIdentifier: z.string().regex(/^[A-Z0-9]{3,8}$/),
          name: shortText,
        }),
      }),
    )
    .min(1),
});

const observation = z.object({
  properties: z.object({
    timestamp: instant,
    stationName: shortText.nullish(),
    textDescription: shortText.nullish(),
    temperature: measured,
    windChill: measured,
    heatIndex: measured,
    relativeHumidity: measured,
    windSpeed: measured,
    windDirection: measured,
  }),
});

const period = z
  .object({
    name: shortText.nullish(),
    startTime: instant,
    endTime: instant,
    isDaytime: z.boolean(),
    temperature: degrees,
    temperatureUnit: z.enum(["F", "C"]),
    probabilityOfPrecipitation: z.object({ value: percent.nullable() }).nullish(),
    shortForecast: shortText,
    detailedForecast: shortText.nullish(),
  })
  .transform((read) => ({
    name: read.name ?? "",
    startsAt: read.startTime,
    endsAt: read.endTime,
    isDaytime: read.isDaytime,
    temperature: read.temperatureUnit === "C" ? toFahrenheit(read.temperature) : read.temperature,
    rain: read.probabilityOfPrecipitation?.value ?? null,
    text: read.shortForecast,
    details: read.detailedForecast ?? "",
  }));

const forecast = z.object({ properties: z.object({ periods: z.array(period).min(1) }) });

const air = z
  .array(
    z.object({
      DateObserved: shortText,
      HourObserved: z.int().min(0).max(23),
      LocalTimeZone: shortText,
      ReportingArea: shortText,
      ParameterName: shortText,
      AQI: z.number().min(-1).max(1_000),
      Category: z.object({ Name: shortText }),
    }),
  )
  .min(1);

const readers = {
  point(json: unknown) {
    const { gridId, gridX, gridY } = point.parse(json).properties;
    return { grid: `${gridId}/${gridX},${gridY}` };
  },
  /** The first station is the nearest one. */
  stations(json: unknown) {
    const station = stations.parse(json).features[0]?.properties;
    return station ? { station: station.stationIdentifier } : null;
  },
  observation: readObservation,
  forecast: (json: unknown) => ({
    periods: forecast.parse(json).properties.periods.slice(0, maxPeriods),
  }),
  hourly: (json: unknown) => ({
    periods: forecast.parse(json).properties.periods.slice(0, maxHours),
  }),
  air: readAir,
};

function readObservation(json: unknown) {
  const read = observation.parse(json).properties;
  const temperature = inFahrenheit(read.temperature);
  return {
    at: read.timestamp,
    station: read.stationName ?? "",
    text: read.textDescription ?? "",
    temperature,
    feelsLike: inFahrenheit(read.heatIndex) ?? inFahrenheit(read.windChill) ?? temperature,
    humidity: read.relativeHumidity?.value ?? null,
    windMph: inMilesPerHour(read.windSpeed),
    windDegrees: read.windDirection?.value ?? null,
  };
}

/** AirNow lists each pollutant. The worst one is the air quality. */
function readAir(json: unknown, timeZone: string) {
  const [worst] = air.parse(json).toSorted((one, other) => other.AQI - one.AQI);
  if (!worst || worst.AQI < 0) return null;
  const hour = String(worst.HourObserved).padStart(2, "0");
  const at = writtenInstant(`${worst.DateObserved} ${hour}:00 ${worst.LocalTimeZone}`, timeZone);
  if (Number.isNaN(at.getTime())) return null;
  return {
    at: at.toISOString(),
    index: worst.AQI,
    category: worst.Category.Name,
    pollutant: worst.ParameterName,
    area: worst.ReportingArea,
  };
}

type Measured = z.output<typeof measured>;

const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;

function inFahrenheit(measured: Measured): number | null {
  if (measured?.value == null) return null;
  return /degF$/.test(measured.unitCode ?? "") ? measured.value : toFahrenheit(measured.value);
}

function inMilesPerHour(measured: Measured): number | null {
  if (measured?.value == null) return null;
  const perSecond = /m_s-1$/.test(measured.unitCode ?? "");
  return perSecond ? measured.value * 2.237 : measured.value * 0.6214;
}
