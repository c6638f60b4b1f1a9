import { data, replace } from "react-router";
import { appContext } from "../../../context.ts";
import { findItem } from "../../../features/desk/kinds/kinds.server.ts";
import {
  describeVersions,
  restoreVersion,
} from "../../../features/desk/published/describe-item.server.ts";
import {
  doneParam,
  readDone,
  restoredVersion,
  versionsPath,
} from "../../../features/desk/published/model.ts";
import { VersionsPage } from "../../../features/desk/published/pages/versions-page.tsx";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { readField } from "../../../lib/form.ts";
import type { Route } from "./+types/versions.ts";

async function openItem(args: Route.LoaderArgs | Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const item = await findItem(desk, args.params);
  // A file has its versions elsewhere.
  if (!item || item.rowId === null) throw await missingPage(desk);
  return { desk, item: { ...item, rowId: item.rowId } };
}

export async function loader(args: Route.LoaderArgs) {
  const { desk, item } = await openItem(args);
  const wanted = Number(args.url.searchParams.get("version"));
  const notice = readDone(args.url.searchParams);
  return { ...(await describeVersions(desk, item, wanted)), notice };
}

export async function action(args: Route.ActionArgs) {
  const { desk, item } = await openItem(args);
  const number = Number(readField(desk.readForm().form, "version"));
  const outcome = await restoreVersion(desk, item, number);
  if (outcome.kind === "missing") throw await missingPage(desk);
  if (outcome.kind === "restored")
    throw replace(`${versionsPath(item.kind, item.slug)}?${doneParam}=${restoredVersion}`);
  return data(outcome.message, { status: 422 });
}

export const meta = () => [{ title: "Versions – The desk" }];

export default function VersionsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <VersionsPage {...loaderData} refusal={actionData} />;
}
