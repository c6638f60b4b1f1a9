import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import { DeskAlertsPage } from "../../features/desk/alerts/alerts-page.tsx";
import { changeAlerts } from "../../features/desk/alerts/change.server.ts";
import { showAlerts } from "../../features/desk/alerts/list.server.ts";
import { alertFormPath, deskAlertsPath } from "../../features/desk/model.ts";
import { revalidateIfRefused, sendDeskForm } from "../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { readField } from "../../lib/form.ts";
import type { Route } from "./+types/alerts.ts";

export const loader = async (args: Route.LoaderArgs) =>
  showAlerts(await openDesk(args.context.get(appContext), args));

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const refusal = await changeAlerts(desk, desk.readForm().form);
  if (refusal) return data(refusal, { status: refusal.status });
  throw redirect(deskAlertsPath);
}

export async function clientAction(args: Route.ClientActionArgs) {
  const form = await args.request.clone().formData();
  const hasText = ["notice", "urgent", "change"].includes(readField(form, "action"));
  return sendDeskForm(args, hasText ? alertFormPath(readField(form, "id")) : undefined);
}

export const shouldRevalidate = revalidateIfRefused;

export const meta = () => [{ title: "Alerts – The desk" }];

export default function DeskAlertsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DeskAlertsPage {...loaderData} refusal={actionData} />;
}
