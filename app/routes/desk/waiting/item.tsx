import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { waitingPath } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideOne } from "../../../features/desk/waiting/forms.server.ts";
import { itemPath, noticeParam, toKind } from "../../../features/desk/waiting/model.ts";
import { ItemPage, NoItem } from "../../../features/desk/waiting/pages/item-page.tsx";
import { readItem } from "../../../features/desk/waiting/view.server.ts";
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
  return data({ item }, { status: item ? 200 : 404 });
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const ref = readRef(args.params);
  if (!ref || !(await readItem(services, ref))) throw redirect(waitingPath);
  const result = await decideOne({ ...services, editor }, ref, services.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(
    result.kind === "restored" ? `${itemPath(ref)}?${noticeParam}=restored` : waitingPath,
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.item?.title || "Message"} – The desk` },
];

export default function WaitingItemRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { item } = loaderData;
  return item ? <ItemPage key={item.id} item={item} refusal={actionData} /> : <NoItem />;
}
