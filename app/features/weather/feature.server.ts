import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { weatherFile } from "./files.server.ts";
import { refreshWeather } from "./import/refresh.server.ts";
import { describeWeatherPage, storedWeather, weatherHealth } from "./report.server.ts";

const missing = {
  file: weatherFile.path,
  at: null,
  message: "does not exist, so there is no weather.",
  fix: "Write service: https://api.weather.gov.",
  isOptional: true,
};

export const weather: Feature = {
  name: "weather",
  files: [weatherFile],
  launch: (site) => (site.read(weatherFile) ? [] : [missing]),
  pages(site) {
    const { title, description } = describeWeatherPage(site.read(siteSettingsFile).city);
    return { "/weather": { title, summary: description } };
  },
  jobs: [{ name: "weather", cron: "* * * * *", run: refreshWeather }],
  sources: {
    about: "weather",
    health: weatherHealth,
    fix: "Open /status to see which ones fail.",
  },
  sharedReads: () => [storedWeather],
};
