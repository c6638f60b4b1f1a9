import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import {
  describeVersions,
  restoreVersion,
} from "../../../features/desk/published/describe-item.server.ts";
import { findItem } from "../../../features/desk/published/kinds.server.ts";
import { versionsPath } from "../../../features/desk/published/model.ts";
import { VersionsPage } from "../../../features/desk/published/pages/versions-page.tsx";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { readField } from "../../../lib/form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/versions.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

async function openItem(args: Route.LoaderArgs | Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const item = await findItem(services, args.params);
  // A file has its versions elsewhere.
  if (!item || item.rowId === null) throw await missingPage(services);
  return { services, editor, item: { ...item, rowId: item.rowId } };
}

export async function loader(args: Route.LoaderArgs) {
  const { services, editor, item } = await openItem(args);
  return describeVersions(services, item, Number(args.url.searchParams.get("version")), editor);
}

export async function action(args: Route.ActionArgs) {
  const { services, editor, item } = await openItem(args);
  const number = Number(readField(services.readForm().form, "version"));
  const outcome = await restoreVersion(services, item, number, editor);
  if (outcome.kind === "missing") throw await missingPage(services);
  if (outcome.kind === "restored") throw redirect(versionsPath(item.kind, item.id));
  return data(outcome.message, { status: 422 });
}

export const meta = () => [{ title: "Versions – The desk" }];

export default function VersionsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <VersionsPage {...loaderData} refusal={actionData} />;
}
