import { appContext } from "../context.ts";
import { alertFeedPath, alertsPath } from "../features/alerts/model.ts";
import { AlertsPage } from "../features/alerts/pages/alerts-page.tsx";
import { readAlertsPage } from "../features/alerts/pages/page.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import { pageMeta } from "../ui/seo/meta.ts";
import type { Route } from "./+types/alerts.ts";

export const loader = ({ context }: Route.LoaderArgs) => readAlertsPage(context.get(appContext));

export function meta({ matches: [root] }: Route.MetaArgs) {
  const { site } = root.loaderData;
  const description = "What concerns the whole city right now, and the alerts of the past year.";
  return [
    ...pageMeta(site, { title: "Alerts", description, path: alertsPath }),
    ...feedLinks(alertFeedPath, "Alerts"),
  ];
}

export default function AlertsRoute({ loaderData }: Route.ComponentProps) {
  return <AlertsPage {...loaderData} />;
}
