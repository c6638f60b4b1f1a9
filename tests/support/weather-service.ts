import { type FeedServer, startFeedServer } from "./feed-server.ts";

const hourMs = 60 * 60_000;
const toIso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, "+00:00");
const percent = (value: number | null) => ({ unitCode: "wmoUnit:percent", value });

/** What the stand-in sends, by path. A test may change or remove documents. */
export type WeatherDocuments = Record<string, unknown>;

/** Documents in the format of the Weather Service, as if it had made them at a time. */
export function createWeather(now: Date): WeatherDocuments {
  const hour = Math.floor(now.getTime() / hourMs) * hourMs;
  const hours = Array.from({ length: 156 }, (_, index) => ({
    number: index + 1,
    name: "",
    startTime: toIso(hour + index * hourMs),
    endTime: toIso(hour + (index + 1) * hourMs),
    isDaytime: true,
    temperature: 50 + Math.round(8 * Math.sin(((index - 2) / 24) * 2 * Math.PI)),
    temperatureUnit: "F",
    temperatureTrend: null,
    probabilityOfPrecipitation: percent(index % 24 > 9 ? 20 + (index % 5) * 12 : 0),
    dewpoint: { unitCode: "wmoUnit:degC", value: 3.3 },
    windSpeed: "9 mph",
    windDirection: "NW",
    icon: "https://api.weather.gov/icons/land/day/sct?size=small",
    shortForecast: index % 24 > 9 ? "Chance Rain Showers" : "Partly Sunny",
    detailedForecast: "",
  }));
  return {
    "/points/39.2904,-76.6122": {
      id: "https://api.weather.gov/points/39.2904,-76.6122",
      type: "Feature",
      properties: {
        cwa: "LWX",
        gridId: "LWX",
        gridX: 109,
        gridY: 91,
        forecast: "https://api.weather.gov/gridpoints/LWX/109,91/forecast",
        timeZone: "America/New_York",
      },
    },
    "/gridpoints/LWX/109,91/stations": {
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          properties: {
            "@type": "wx:ObservationStation",
            stationIdentifier: "KDMH",
            name: "Baltimore, Inner Harbor",
          },
        },
        { type: "Feature", properties: { stationIdentifier: "KBWI", name: "Airport" } },
      ],
    },
    "/stations/KDMH/observations/latest": {
      type: "Feature",
      properties: {
        stationId: "KDMH",
        stationName: "Baltimore, Inner Harbor",
        timestamp: toIso(now.getTime() - 10 * 60_000),
        textDescription: "Partly Cloudy",
        temperature: { unitCode: "wmoUnit:degC", value: 12.2, qualityControl: "V" },
        windChill: { unitCode: "wmoUnit:degC", value: 9.8, qualityControl: "V" },
        heatIndex: { unitCode: "wmoUnit:degC", value: null, qualityControl: "V" },
        relativeHumidity: { unitCode: "wmoUnit:percent", value: 61.3, qualityControl: "V" },
        windSpeed: { unitCode: "wmoUnit:km_h-1", value: 14.8, qualityControl: "V" },
        windDirection: { unitCode: "wmoUnit:degree_(angle)", value: 310, qualityControl: "V" },
      },
    },
    "/gridpoints/LWX/109,91/forecast": {
      type: "Feature",
      properties: {
        units: "us",
        updateTime: toIso(hour),
        periods: createPeriods(now),
      },
    },
    "/gridpoints/LWX/109,91/forecast/hourly": {
      type: "Feature",
      properties: { units: "us", updateTime: toIso(hour), periods: hours },
    },
    "/air": [
      {
        DateObserved: "2026-11-18 ",
        HourObserved: 11,
        LocalTimeZone: "EST",
        ReportingArea: "Baltimore",
        StateCode: "MD",
        ParameterName: "O3",
        AQI: 25,
        Category: { Number: 1, Name: "Good" },
      },
      {
        DateObserved: "2026-11-18 ",
        HourObserved: 11,
        LocalTimeZone: "EST",
        ReportingArea: "Baltimore",
        StateCode: "MD",
        ParameterName: "PM2.5",
        AQI: 62,
        Category: { Number: 2, Name: "Moderate" },
      },
    ],
  };
}

/** Half days of 6 AM to 6 PM and back, in New York without daylight saving time. */
function createPeriods(now: Date) {
  const weekday = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });
  const firstDay = Math.floor((now.getTime() - 5 * hourMs) / (24 * hourMs)) * 24 * hourMs;
  return Array.from({ length: 14 }, (_, index) => {
    const isDaytime = index % 2 === 0;
    const starts = firstDay + (11 + index * 12) * hourMs;
    const name = index === 0 ? "Today" : index === 1 ? "Tonight" : weekday.format(starts);
    const temperature = isDaytime ? 58 + index : 41 - index;
    return {
      number: index + 1,
      name: index > 1 && !isDaytime ? `${name} Night` : name,
      startTime: toIso(starts),
      endTime: toIso(starts + 12 * hourMs),
      isDaytime,
      temperature,
      temperatureUnit: "F",
      temperatureTrend: null,
      probabilityOfPrecipitation: percent(index === 3 ? 40 : null),
      windSpeed: "5 to 10 mph",
      windDirection: "NW",
      icon: "https://api.weather.gov/icons/land/day/sct?size=medium",
      shortForecast: isDaytime ? "Partly Sunny" : "Mostly Clear then Chance Rain Showers",
      detailedForecast: `${isDaytime ? "Partly sunny, with a high" : "Mostly clear, with a low"} near ${temperature}. Northwest wind 5 to 10 mph.`,
    };
  });
}

/** The key of an alert. */
export const alertUrn = (id: string) => `urn:oid:2.49.0.1.840.0.${id}.001.1`;

type AlertTimes = { id: string; sent: string; expires: string; ends: string };

/** An alert for Baltimore in the format of the Weather Service. */
export const createOfficialAlert = ({
  id,
  sent,
  references = [],
  ...more
}: AlertTimes & { references?: object[]; [property: string]: unknown }) => ({
  id: `https://api.weather.gov/alerts/${alertUrn(id)}`,
  type: "Feature",
  geometry: null,
  properties: {
    "@type": "wx:Alert",
    id: alertUrn(id),
    areaDesc: "Baltimore City",
    geocode: { SAME: ["024510"], UGC: ["MDC510"] },
    affectedZones: ["https://api.weather.gov/zones/county/MDC510"],
    references,
    sent,
    effective: sent,
    onset: sent,
    status: "Actual",
    messageType: references.length > 0 ? "Update" : "Alert",
    category: "Met",
    severity: "Severe",
    certainty: "Likely",
    urgency: "Expected",
    event: `High Wind Warning ${id}`,
    senderName: "NWS Baltimore MD/Washington DC",
    headline: `High Wind Warning ${id}`,
    description: "* WHAT...South winds\n25 to 35 mph.",
    instruction: "Stay   inside.",
    ...more,
  },
});

/** Names an earlier alert that another one changes. */
export const createReference = (id: string, sent: string) => ({
  "@id": `https://api.weather.gov/alerts/${alertUrn(id)}`,
  identifier: alertUrn(id),
  sender: "w-nws.webmaster@noaa.gov",
  sent,
});

/** Starts a stand-in for the Weather Service on this machine. It answers with ETags. */
export async function startWeatherService(
  documents: WeatherDocuments,
): Promise<FeedServer & { documents: WeatherDocuments }> {
  const server = await startFeedServer((request, response) => {
    const document = documents[request.url ?? ""];
    if (document === undefined) return response.writeHead(404).end();
    const body = typeof document === "string" ? document : JSON.stringify(document);
    const etag = `"${body.length}-${body.slice(-200).replaceAll(/\W/g, "")}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    response.setHeader("ETag", etag);
    response.setHeader("Content-Type", "application/geo+json");
    response.end(body);
  });
  return { ...server, documents };
}
