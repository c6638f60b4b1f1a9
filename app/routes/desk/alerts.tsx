import { redirect } from "react-router";
import { appContext } from "../../context.ts";
import { DeskAlertsPage } from "../../features/desk/alerts/alerts-page.tsx";
import { changeAlerts } from "../../features/desk/alerts/change.server.ts";
import { listOpenAlerts, listWaitingAlerts } from "../../features/desk/alerts/list.server.ts";
import { deskAlertsPath } from "../../features/desk/alerts/model.ts";
import { requireEditor } from "../../features/desk/sign-in/open-desk.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/alerts.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  return {
    alerts: await listOpenAlerts(services),
    waiting: await listWaitingAlerts(services),
  };
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const refused = await changeAlerts(services, editor, services.readForm().form);
  if (refused) return refused;
  throw redirect(deskAlertsPath);
}

export const meta = () => [{ title: "Alerts – The desk" }];

export default function DeskAlertsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DeskAlertsPage {...loaderData} refused={actionData ?? null} />;
}
