import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { waitingPath } from "../../../features/desk/model.ts";
import { sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideAll } from "../../../features/desk/waiting/forms.server.ts";
import { readListPart, toListQuery } from "../../../features/desk/waiting/model.ts";
import { AllPage } from "../../../features/desk/waiting/pages/all-page.tsx";
import { describeAll } from "../../../features/desk/waiting/view.server.ts";
import type { Route } from "./+types/all.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { kind } = readListPart(args.url.searchParams);
  const all = await describeAll(desk, kind);
  // Another editor has just decided about everything.
  if (all.what === "") throw redirect(waitingPath + toListQuery({ kind, page: 1 }));
  return all;
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const result = await decideAll(desk, desk.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(waitingPath + toListQuery({ ...readListPart(args.url.searchParams), page: 1 }));
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const meta = () => [{ title: "Select all – The desk" }];

export default function WaitingAllRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <AllPage {...loaderData} refusal={actionData} />;
}
