import { data, redirect, useLocation } from "react-router";
import { appContext } from "../../../context.ts";
import { notSentText, waitingPath } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideOne } from "../../../features/desk/waiting/forms.server.ts";
import {
  itemPath,
  noticeParam,
  readListPart,
  toKind,
  toListQuery,
} from "../../../features/desk/waiting/model.ts";
import { ItemPage, NoItem } from "../../../features/desk/waiting/pages/item-page.tsx";
import { readItem } from "../../../features/desk/waiting/view.server.ts";
import { sendForm } from "../../../features/forms/send-form.ts";
import { deleteUnsentForm } from "../../../features/forms/unsent/unsent-form.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/item.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

const readRef = ({ kind: typed, id }: { kind: string; id: string }) => {
  const kind = toKind(typed);
  return kind && { kind, id };
};

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const ref = readRef(args.params);
  const item = ref && (await readItem(services, ref));
  return data({ item, part: readListPart(args.url.searchParams) }, { status: item ? 200 : 404 });
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const ref = readRef(args.params);
  if (!ref || !(await readItem(services, ref))) throw redirect(args.url.pathname);
  const result = await decideOne({ ...services, editor }, ref, services.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(
    result.kind === "restored"
      ? `${itemPath(ref)}?${noticeParam}=restored`
      : waitingPath + toListQuery(readListPart(args.url.searchParams)),
  );
}

/**
 * Without a connection, the editor keeps the page with everything on it. What was typed stays on the
 * device until the server has decided: it may ask the editor to sign in instead.
 */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  try {
    return await sendForm(request, serverAction, undefined, notSentText);
  } catch (response) {
    const target = response instanceof Response ? response.headers.get("Location") : null;
    if (target?.split("?")[0] === waitingPath) deleteUnsentForm(new URL(request.url).pathname);
    throw response;
  }
}

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
    <NoItem path={pathname} />
  );
}
