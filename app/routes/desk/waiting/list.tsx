import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { waitingPath } from "../../../features/desk/model.ts";
import { sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideChecked, undoIfPressed } from "../../../features/desk/waiting/forms.server.ts";
import { readListPart, toListQuery } from "../../../features/desk/waiting/model.ts";
import { WaitingPage } from "../../../features/desk/waiting/pages/list-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import type { Route } from "./+types/list.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  return readList(desk, { list: "waiting", ...readListPart(args.url.searchParams) });
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { form } = desk.readForm();
  const undone = await undoIfPressed(desk, form);
  if (undone) throw redirect(undone);
  const result = await decideChecked(desk, form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(waitingPath + toListQuery(readListPart(args.url.searchParams)));
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const meta = () => [{ title: "Waiting – The desk" }];

export default function WaitingRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <WaitingPage {...loaderData} refusal={actionData} />;
}
