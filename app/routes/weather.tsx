import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { OfficialAlerts } from "../features/official-alerts/official-alerts.tsx";
import { readShownOfficialAlerts } from "../features/official-alerts/read-shown.server.ts";
import { WeatherPage } from "../features/weather/pages/weather-page.tsx";
import { describeWeatherPage, readWeather } from "../features/weather/report.server.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/weather.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { city } = services.site.read(siteSettingsFile);
  const [report, alerts] = await Promise.all([
    readWeather(services),
    readShownOfficialAlerts(services),
  ]);
  return { head: describeWeatherPage(city), report, alerts };
}

export function meta({ matches: [root], loaderData }: Route.MetaArgs) {
  const page = { ...loaderData.head, path: "/weather" };
  return pageMeta(root.loaderData.site, page);
}

export default function WeatherRoute({ loaderData }: Route.ComponentProps) {
  const { head, report, alerts } = loaderData;
  return (
    <WeatherPage title={head.title} report={report}>
      {alerts.length > 0 && <OfficialAlerts alerts={alerts} />}
    </WeatherPage>
  );
}
