import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import { DeskAlertsPage } from "../../features/desk/alerts/alerts-page.tsx";
import { changeAlerts } from "../../features/desk/alerts/change.server.ts";
import { showAlerts } from "../../features/desk/alerts/list.server.ts";
import { deskAlertsPath } from "../../features/desk/model.ts";
import { revalidateIfRefused, sendDeskForm } from "../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { readField } from "../../lib/form.ts";
import type { Route } from "./+types/alerts.ts";

const doneParam = "done";

const sentences = new Map(
  Object.entries({
    notice: "Every page shows it now.",
    urgent: "Every page shows it now.",
    extend: "It runs one hour longer.",
    change: "Every page shows the new version now.",
    end: "You ended it.",
    delete: "You deleted it from every page and from the archive.",
    approve: "Every page shows it now.",
    hide: "Readers do not see it.",
  }),
);

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const notice = sentences.get(args.url.searchParams.get(doneParam) ?? "");
  return { ...(await showAlerts(desk)), notice };
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { form } = desk.readForm();
  const refusal = await changeAlerts(desk, form);
  if (refusal) return data(refusal, { status: refusal.status });
  throw redirect(`${deskAlertsPath}?${doneParam}=${readField(form, "action")}`);
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const shouldRevalidate = revalidateIfRefused;

export const meta = () => [{ title: "Alerts – The desk" }];

export default function DeskAlertsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <DeskAlertsPage {...loaderData} refusal={actionData} />;
}
