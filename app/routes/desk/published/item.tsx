import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { refuse } from "../../../features/desk/model.ts";
import { sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { changeItem } from "../../../features/desk/published/change-item.server.ts";
import { describeItem } from "../../../features/desk/published/describe-item.server.ts";
import { findItem, findRenamed } from "../../../features/desk/published/kinds.server.ts";
import {
  correctionFormPath,
  entryAction,
  entryFormPath,
  itemActions,
  itemPath,
  requiredFields,
  toItemKind,
} from "../../../features/desk/published/model.ts";
import { ItemPage } from "../../../features/desk/published/pages/item-page.tsx";
import { publishEntry } from "../../../features/desk/published/stories/entry.server.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { homeFile } from "../../../features/home/files.server.ts";
import { readField } from "../../../lib/form.ts";
import type { Route } from "./+types/item.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const item = await findItem(desk, args.params);
  if (!item) {
    const newPath = await findRenamed(desk, args.params);
    throw newPath === null ? await missingPage(desk) : redirect(newPath);
  }
  const featuredCount = desk.site.read(homeFile).featured.length;
  return { ...(await describeItem(desk, item)), featuredCount };
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const item = await findItem(desk, args.params);
  if (!item) throw await missingPage(desk);
  const { form } = desk.readForm();
  const pressed = readField(form, "action");
  const wanted = itemActions.find((each) => each === pressed);
  if (!wanted && pressed !== entryAction) throw data(null, { status: 400 });
  const field = requiredFields.get(pressed);
  const typed = field === undefined ? "" : readField(form, field);
  const outcome = wanted
    ? await changeItem(desk, item, { action: wanted, typed, editor: desk.editor })
    : await publishEntry(desk, item, {
        title: readField(form, "title"),
        text: typed,
        editor: desk.editor,
      });
  if (outcome.kind === "missing") throw await missingPage(desk);
  if (outcome.kind === "done") throw redirect(itemPath(item.kind, outcome.id));
  const refusal =
    field === undefined
      ? refuse(outcome.message, form)
      : refuse("Nothing was changed.", form, { [field]: outcome.message });
  return data(refusal, { status: refusal.status });
}

export async function clientAction(args: Route.ClientActionArgs) {
  const action = readField(await args.request.clone().formData(), "action");
  const kind = toItemKind(args.params.kind);
  const path =
    action === entryAction
      ? entryFormPath(args.params.id)
      : action === "correct" && kind
        ? correctionFormPath(kind, args.params.id)
        : undefined;
  return sendDeskForm(args, path);
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedItemRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ItemPage {...loaderData} refusal={actionData} />;
}
