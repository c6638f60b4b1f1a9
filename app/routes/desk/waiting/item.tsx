import { data, redirect, useLocation } from "react-router";
import { appContext } from "../../../context.ts";
import { waitingPath } from "../../../features/desk/model.ts";
import { revalidateIfRefused, sendDeskForm } from "../../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideOne } from "../../../features/desk/waiting/forms.server.ts";
import {
  noticeParam,
  parseItemValue,
  readListPart,
  submissionPath,
  toListQuery,
} from "../../../features/desk/waiting/model.ts";
import { ItemPage, NoItem } from "../../../features/desk/waiting/pages/item-page.tsx";
import { readItem } from "../../../features/desk/waiting/view.server.ts";
import { missingPage } from "../../../features/failures/missing.server.ts";
import type { Route } from "./+types/item.ts";

const readRef = ({ kind, id }: { kind: string; id: string }) => parseItemValue(`${kind}:${id}`);

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const ref = readRef(args.params);
  const item = ref && (await readItem(desk, ref));
  return data({ item, part: readListPart(args.url.searchParams) }, { status: item ? 200 : 404 });
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const ref = readRef(args.params);
  if (!ref) throw await missingPage(desk);
  const result = await decideOne(desk, ref, desk.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(
    result.kind === "restored"
      ? `${submissionPath(ref)}?${noticeParam}=restored`
      : waitingPath + toListQuery(readListPart(args.url.searchParams)),
  );
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const shouldRevalidate = revalidateIfRefused;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.item?.heading ?? "It is gone"} – The desk` },
];

export default function WaitingItemRoute({
  loaderData: { item, part },
  actionData,
}: Route.ComponentProps) {
  const { pathname } = useLocation();
  return item ? (
    <ItemPage key={item.id} item={item} part={part} refusal={actionData} />
  ) : (
    <NoItem path={pathname} typed={actionData?.typed} />
  );
}
