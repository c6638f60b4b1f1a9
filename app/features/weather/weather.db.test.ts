import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../db/database.ts";
import { createSiteContent } from "../../../server/site/site-values.ts";
import { openTestDatabase } from "../../../tests/support/database.ts";
import type { FeedServer } from "../../../tests/support/feed-server.ts";
import {
  createWeather,
  startWeatherService,
  type WeatherDocuments,
} from "../../../tests/support/weather-service.ts";
import { runInThisThread } from "../../../tests/support/worker-pool.ts";
import { createSafeFetch } from "../../lib/external/safe-fetch.server.ts";
import { createLog } from "../../lib/log.ts";
import type { RunInWorker } from "../../platform/worker-task.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { sourceDocuments } from "../sources/schema.server.ts";
import { weatherFile } from "./files.server.ts";
import { refreshWeather } from "./import/refresh.server.ts";
import { readWeather, readWeatherLine, weatherHealth } from "./report.server.ts";

const minute = 60_000;
const hour = 60 * minute;
/** 11:30 AM in Baltimore. */
const noon = Date.parse("2026-11-18T16:30:00Z");
const observationPath = "/stations/KDMH/observations/latest";
const hourlyPath = "/gridpoints/LWX/109,91/forecast/hourly";
let time: number;

describe("the weather", () => {
  let database: OpenDatabase;
  let server: FeedServer & { documents: WeatherDocuments };
  let expiries: number[];
  const tags = new Set<string>();
  beforeAll(async () => {
    database = await openTestDatabase();
    server = await startWeatherService({});
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    time = noon;
    expiries = [];
    server.requests.length = 0;
    for (const path of Object.keys(server.documents)) delete server.documents[path];
    Object.assign(server.documents, createWeather(new Date(noon)));
    await database.db.delete(sourceDocuments);
  });

  function createServices(weather: object | null = { service: server.url("") }) {
    const settings = siteSettingsFile.parse(readFileSync("sites/baltimore/site.yaml", "utf8"));
    if (!settings.ok) throw new Error(JSON.stringify(settings.problems));
    return {
      db: database.db,
      site: createSiteContent(
        new Map<string, unknown>([
          [siteSettingsFile.path, settings.value],
          [weatherFile.path, weather],
        ]),
      ),
      clock: () => new Date(time),
      log: createLog({ write: () => true }),
      fetch: createSafeFetch(["127.0.0.1"]),
      runInWorker: runInThisThread,
      tags,
      expireAt: (instant: Date) => expiries.push(instant.getTime()),
    };
  }
  const refresh = (weather?: object | null) => refreshWeather(createServices(weather));
  const read = (weather?: object | null) => readWeather(createServices(weather));
  const readLine = () => readWeatherLine(createServices());
  const paths = () => server.requests.map(({ path }) => path);
  const listFailing = async () =>
    (await weatherHealth(createServices()))
      .filter(({ state }) => state === "failing")
      .map(({ id, causeKey }) => [id, causeKey] as const);

  it("is now, today, tomorrow, seven days and 24 hours, from the place of the city", async () => {
    await refresh();
    expect(paths()).toEqual([
      "/points/39.2904,-76.6122",
      "/gridpoints/LWX/109,91/stations",
      observationPath,
      "/gridpoints/LWX/109,91/forecast",
      hourlyPath,
    ]);
    expect(server.requests[0]?.headers["user-agent"]).toContain("/about)");
    const { now, today, tomorrow, days, hours, sun, air } = await read();
    expect(now).toMatchObject({
      temperature: 54,
      text: "Partly cloudy",
      station: "Baltimore, Inner Harbor",
      facts: [
        { label: "Feels like", value: "50°" },
        { label: "Wind", value: "NW 9 mph" },
        { label: "Humidity", value: "61%" },
      ],
    });
    expect(now?.time.shown).toMatch(/^11:20/);
    expect(today.map(({ name }) => name)).toEqual(["Today", "Tonight"]);
    expect(tomorrow.map(({ name }) => name)).toEqual(["Thursday", "Thursday Night"]);
    expect(days).toHaveLength(7);
    expect(days[0]).toMatchObject({ name: "Today", high: 58, low: 40, rain: null });
    expect(days[1]).toMatchObject({ day: "2026-11-19", name: "Thursday", rain: 40 });
    expect(hours).toHaveLength(24);
    expect(hours[0]?.shown).toMatch(/^11/);
    expect(sun[0]?.rise.shown).toMatch(/^6:53/);
    expect(air, "not configured").toBeNull();
    expect(await readLine()).toBe("54°, partly cloudy · Today: high 58°");
    expect(tags).toContain("weather");
  });

  it("includes the worst pollutant of the air if a source is configured", async () => {
    const weather = { service: server.url(""), air: { name: "AirNow", url: server.url("/air") } };
    await refresh(weather);
    expect((await read(weather)).air).toMatchObject({
      index: 62,
      category: "Moderate",
      source: "AirNow",
      time: { iso: "2026-11-18T16:00:00.000Z" },
    });
  });

  it("is asked for at intervals, with conditional requests, and stays fresh if it is unchanged", async () => {
    await refresh();
    time += 19 * minute;
    await refresh();
    expect(paths()).toHaveLength(5);
    time += 41 * minute;
    await refresh();
    expect(paths().slice(5)).toEqual([
      observationPath,
      "/gridpoints/LWX/109,91/forecast",
      hourlyPath,
    ]);
    expect(server.requests.at(-1)?.headers["if-none-match"]).toBeTruthy();
    time = noon + 3.5 * hour;
    expect((await read()).days, "checked 150 minutes ago").toHaveLength(7);
  });

  it("disappears three hours after it was measured or checked, to the minute", async () => {
    await refresh();
    const measured = noon - 10 * minute;
    time = measured + 3 * hour - minute;
    expect(await readLine()).toBe("54°, partly cloudy · Today: high 58°");
    expect(Math.min(...expiries)).toBe(measured + 3 * hour);
    time = measured + 3 * hour;
    expect(await readLine()).toBe("Today: high 58°");
    expect(await listFailing()).toEqual([["weather:observation", "stale"]]);
    time = noon + 3 * hour - minute;
    expect((await read()).hours).not.toEqual([]);
    time = noon + 3 * hour;
    expect(await readLine()).toBeNull();
    expect(await read()).toMatchObject({
      now: null,
      today: [],
      days: [],
      hours: [],
      sun: [{}, {}],
    });
    expect((await listFailing()).map(([, cause]) => cause)).toEqual(["stale", "stale", "stale"]);
  });

  it("does not change while the service fails, is unreadable or sends too much", async () => {
    await refresh();
    const before = await read();
    const causes = [];
    let visitedAt = noon;
    for (const broken of [
      "{",
      '{"properties":{"periods":[]}}',
      " ".repeat(10_000_000),
      undefined,
    ]) {
      server.documents[hourlyPath] = broken;
      visitedAt += 62 * minute;
      time = visitedAt;
      await refresh();
      causes.push(new Map(await listFailing()).get("weather:hourly"));
      time = noon;
      expect(await read()).toEqual(before);
    }
    expect(causes).toEqual(["not-readable", "not-readable", "too-large", "gone"]);
  });

  it("with characters that no page may show is shown without them", async () => {
    const observed = server.documents[observationPath] as { properties: object };
    server.documents[observationPath] = {
      properties: {
        ...observed.properties,
        textDescription: "Sun\u0000ny\u202e\n and  warm \ud83d",
      },
    };
    await refresh();
    expect((await read()).now?.text).toBe("Sunny and warm \ufffd");
  });

  it("has its other documents even if one of them cannot be stored, and the status page says so", async () => {
    const runInWorker: RunInWorker = async (task, input, transfer) => {
      const outcome = await runInThisThread(task, input, transfer);
      const isObservation = JSON.stringify(outcome).includes("Inner Harbor");
      return isObservation ? { kind: "done", value: { text: "\u0000" } as never } : outcome;
    };
    await refreshWeather({ ...createServices(), runInWorker });
    expect(paths()).toHaveLength(5);
    expect(await listFailing()).toEqual([["weather:observation", "not-readable"]]);
  });

  it("that has a null in every measurement shows no current weather", async () => {
    const unknown = { unitCode: "wmoUnit:degC", value: null };
    server.documents[observationPath] = {
      properties: { timestamp: new Date(noon).toISOString(), temperature: unknown },
    };
    await refresh();
    expect((await read()).now).toBeNull();
    expect(await readLine()).toBe("Today: high 58°");
  });

  it("is unknown without a network or without weather.yaml, except for the sun", async () => {
    for (const path of Object.keys(server.documents)) delete server.documents[path];
    await refresh();
    expect(paths()).toEqual(["/points/39.2904,-76.6122"]);
    expect(await readLine()).toBeNull();
    expect(await listFailing()).toEqual([["weather:point", "gone"]]);
    expect((await read(null)).sun).toHaveLength(2);
    await refresh(null);
    expect(paths()).toHaveLength(1);
  });
});
