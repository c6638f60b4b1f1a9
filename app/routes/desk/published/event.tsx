import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { changeDeskEvent } from "../../../features/desk/published/events/change.server.ts";
import {
  describeDeskEvent,
  findDeskEvent,
} from "../../../features/desk/published/events/find.server.ts";
import { eventActions, itemPath } from "../../../features/desk/published/model.ts";
import { EventPage } from "../../../features/desk/published/pages/event-page.tsx";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/event.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const event = await findDeskEvent(services, args.params.id);
  if (!event) throw await missingPage(services);
  return describeDeskEvent(services, event);
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const { id } = args.params;
  const { form } = services.readForm();
  const wanted = eventActions.find((each) => each === readField(form, "action"));
  if (!wanted) throw data(null, { status: 400 });
  if (!(await changeDeskEvent(services, { id, action: wanted, editor })))
    throw await missingPage(services);
  throw redirect(itemPath("event", id));
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedEventRoute({ loaderData }: Route.ComponentProps) {
  return <EventPage {...loaderData} />;
}
