import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import {
  decideChecked,
  restoreChecked,
  undoIfPressed,
} from "../../../features/desk/waiting/forms.server.ts";
import {
  listPaths,
  listTitles,
  noticeParam,
  readListPart,
  toListName,
  toListQuery,
} from "../../../features/desk/waiting/model.ts";
import { ListPage } from "../../../features/desk/waiting/pages/list-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import type { Route } from "./+types/list.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { pathname, searchParams } = args.url;
  return readList(desk, { list: toListName(pathname), ...readListPart(searchParams) });
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const list = toListName(args.url.pathname);
  const { form } = desk.readForm();
  const undone = await undoIfPressed(desk, form);
  if (undone) throw redirect(undone);
  const result = await (list === "bin" ? restoreChecked(desk, form) : decideChecked(desk, form));
  if (result.kind === "refused") return data(result, { status: result.status });
  const query = toListQuery(readListPart(args.url.searchParams));
  const notice = `${query ? "&" : "?"}${noticeParam}=restored`;
  throw redirect(listPaths[list] + query + (list === "bin" ? notice : ""));
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${listTitles[loaderData?.list ?? "waiting"]} – The desk` },
];

export default function WaitingListRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ListPage {...loaderData} refusal={actionData} />;
}
