import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { changeItem } from "../../../features/desk/published/change-item.server.ts";
import { describeItem } from "../../../features/desk/published/describe-item.server.ts";
import { findItem } from "../../../features/desk/published/kinds.server.ts";
import { type ItemRefusal, itemActions, itemPath } from "../../../features/desk/published/model.ts";
import { ItemPage } from "../../../features/desk/published/pages/item-page.tsx";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { homeFile } from "../../../features/home/files.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/item.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const item = await findItem(services, args.params);
  if (!item) throw await missingPage(services);
  const featuredCount = services.site.read(homeFile).featured.length;
  return { ...(await describeItem(services, item, editor)), featuredCount };
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const item = await findItem(services, args.params);
  if (!item) throw await missingPage(services);
  const { form } = services.readForm();
  const wanted = itemActions.find((each) => each === readField(form, "action"));
  if (!wanted) throw data(null, { status: 400 });
  const typed = readField(form, "text");
  const outcome = await changeItem(services, item, { action: wanted, typed, editor });
  if (outcome.kind === "missing") throw await missingPage(services);
  if (outcome.kind === "done") throw redirect(itemPath(item.kind, outcome.id));
  const refusal: ItemRefusal = { action: wanted, message: outcome.message, typed };
  return data(refusal, { status: 422 });
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedItemRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ItemPage {...loaderData} refusal={actionData} />;
}
