import { data, replace } from "react-router";
import { appContext } from "../../../context.ts";
import { findItem } from "../../../features/desk/kinds/kinds.server.ts";
import { refuseForm } from "../../../features/desk/model.ts";
import { revalidateIfRefused, sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { changeItem } from "../../../features/desk/published/change-item.server.ts";
import {
  describeEntry,
  describeItem,
} from "../../../features/desk/published/describe-item.server.ts";
import { sendEntry } from "../../../features/desk/published/entry.server.ts";
import {
  doneParam,
  entryParam,
  isEntryAction,
  isItemAction,
  itemPath,
  readDone,
  requiredFields,
} from "../../../features/desk/published/model.ts";
import { EditEntryPage } from "../../../features/desk/published/pages/entries.tsx";
import { ItemPage } from "../../../features/desk/published/pages/item-page.tsx";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import { homeFile } from "../../../features/home/files.server.ts";
import { readField } from "../../../lib/form.ts";
import type { Route } from "./+types/item.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const item = await findItem(desk, args.params);
  if (!item) throw await missingPage(desk);
  const featuredCount = desk.site.read(homeFile).featured.length;
  const key = args.url.searchParams.get(entryParam);
  const editing = key === null ? null : describeEntry(item, key);
  const notice = readDone(args.url.searchParams);
  return { ...describeItem(desk, item), notice, featuredCount, editing };
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const item = await findItem(desk, args.params);
  if (!item) throw await missingPage(desk);
  const { form } = desk.readForm();
  const pressed = readField(form, "action");
  const field = requiredFields.get(pressed);
  const typed = field === undefined ? "" : readField(form, field);
  if (!isItemAction(pressed) && !isEntryAction(pressed)) throw data(null, { status: 400 });
  const outcome = isItemAction(pressed)
    ? await changeItem(desk, item, { action: pressed, typed })
    : await sendEntry(desk, item, { action: pressed, form });
  if (outcome.kind === "missing") throw await missingPage(desk);
  if (outcome.kind === "done")
    throw replace(`${itemPath(item.kind, outcome.slug)}?${doneParam}=${pressed}`);
  const refusal =
    field === undefined
      ? refuseForm(outcome.message, form)
      : refuseForm("Nothing was changed.", form, { [field]: outcome.message });
  return data(refusal, { status: refusal.status });
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const shouldRevalidate = revalidateIfRefused;

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.title ?? "Published"} – The desk` },
];

export default function PublishedItemRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { editing, ...item } = loaderData;
  return editing && (editing.entry || actionData) ? (
    <EditEntryPage key={editing.key} {...item} editing={editing} refusal={actionData} />
  ) : (
    <ItemPage {...item} refusal={actionData} />
  );
}
