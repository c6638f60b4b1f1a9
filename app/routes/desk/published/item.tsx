import { data, isRouteErrorResponse, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { notSentText } from "../../../features/desk/model.ts";
import { changeItem } from "../../../features/desk/published/change-item.server.ts";
import { describeItem } from "../../../features/desk/published/describe-item.server.ts";
import { findItem } from "../../../features/desk/published/kinds.server.ts";
import {
  entryAction,
  entryFormPath,
  type ItemRefusal,
  itemActions,
  itemPath,
  publishedPath,
} from "../../../features/desk/published/model.ts";
import { ItemPage } from "../../../features/desk/published/pages/item-page.tsx";
import { publishEntry } from "../../../features/desk/published/stories/entry.server.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { deleteUnsentForm } from "../../../features/forms/unsent/unsent-form.ts";
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
  const pressed = readField(form, "action");
  const wanted = itemActions.find((each) => each === pressed);
  const { typed, title } = readTyped(form);
  if (!wanted && pressed !== entryAction) throw data(null, { status: 400 });
  const outcome = wanted
    ? await changeItem(services, item, { action: wanted, typed, editor })
    : await publishEntry(services, item, { title, text: typed, editor });
  if (outcome.kind === "missing") throw await missingPage(services);
  if (outcome.kind === "done") throw redirect(itemPath(item.kind, outcome.id));
  const refusal: ItemRefusal = { action: pressed, message: outcome.message, typed, title };
  return data(refusal, { status: 422 });
}

const readTyped = (form: FormData) => ({
  typed: readField(form, "text"),
  title: readField(form, "title"),
});

/**
 * Without a connection, the editor keeps the page with everything on it. An entry stays on the device
 * until the server has published it: it may ask the editor to sign in instead.
 */
export async function clientAction({ request, params, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const action = readField(form, "action");
  try {
    return await serverAction();
  } catch (error) {
    const target = error instanceof Response ? error.headers.get("Location") : null;
    if (action === entryAction && target?.startsWith(publishedPath))
      deleteUnsentForm(entryFormPath(params.id));
    if (error instanceof Response || isRouteErrorResponse(error)) throw error;
    const refusal: ItemRefusal = { action, message: notSentText, ...readTyped(form) };
    // With an error status, the router does not load the page again, which would fail as well.
    return data(refusal, { status: 503 });
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedItemRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ItemPage {...loaderData} refusal={actionData} />;
}
