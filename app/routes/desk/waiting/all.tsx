import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { notSent, waitingPath } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideAll } from "../../../features/desk/waiting/forms.server.ts";
import { readListPart, toListQuery } from "../../../features/desk/waiting/model.ts";
import { AllPage } from "../../../features/desk/waiting/pages/all-page.tsx";
import { describeAll } from "../../../features/desk/waiting/view.server.ts";
import { sendForm } from "../../../features/forms/send-form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/all.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  return describeAll(services, readListPart(args.url.searchParams).kind);
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const result = await decideAll({ ...services, editor }, services.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(waitingPath + toListQuery({ ...readListPart(args.url.searchParams), page: 1 }));
}

/** Without a connection, the editor keeps the page with everything on it. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, undefined, notSent);

export const meta = () => [{ title: "Select all – The desk" }];

export default function WaitingAllRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <AllPage {...loaderData} refusal={actionData} />;
}
