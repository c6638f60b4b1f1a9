import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { notSent } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { restoreChecked, undoIfPressed } from "../../../features/desk/waiting/forms.server.ts";
import {
  binPath,
  noticeParam,
  readListPart,
  toListQuery,
} from "../../../features/desk/waiting/model.ts";
import { BinPage } from "../../../features/desk/waiting/pages/bin-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import { sendForm } from "../../../features/forms/send-form.ts";
import { rejectedRetentionDays } from "../../../features/stories/readers/model.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/bin.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  return readList(
    { ...services, editor },
    { place: "bin", ...readListPart(args.url.searchParams) },
  );
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { form } = services.readForm();
  const undone = await undoIfPressed({ ...services, editor }, form);
  if (undone) throw redirect(undone);
  const result = await restoreChecked({ ...services, editor }, form);
  if (result.kind === "refused") return data(result, { status: result.status });
  const query = toListQuery(readListPart(args.url.searchParams));
  throw redirect(`${binPath}${query}${query ? "&" : "?"}${noticeParam}=restored`);
}

/** Without a connection, the editor keeps the page with everything on it. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(request, serverAction, undefined, notSent);

export const meta = () => [{ title: "Bin – The desk" }];

export default function WaitingBinRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <BinPage {...loaderData} days={rejectedRetentionDays} refusal={actionData} />;
}
