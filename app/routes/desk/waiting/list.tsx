import { data, redirect } from "react-router";
import { appContext } from "../../../context.ts";
import { waitingPath } from "../../../features/desk/model.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { decideChecked } from "../../../features/desk/waiting/forms.server.ts";
import { kindParam, pageParam, toKind } from "../../../features/desk/waiting/model.ts";
import { WaitingPage } from "../../../features/desk/waiting/pages/waiting-page.tsx";
import { readList } from "../../../features/desk/waiting/view.server.ts";
import { toQueryString } from "../../../lib/links/query.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/list.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

const readQuery = ({ searchParams }: URL) => ({
  kind: toKind(searchParams.get(kindParam)),
  page: Number.parseInt(searchParams.get(pageParam) ?? "1", 10) || 1,
});

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  return readList(services, { place: "waiting", ...readQuery(args.url) });
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const result = await decideChecked({ ...services, editor }, services.readForm().form);
  if (result.kind === "refused") return data(result, { status: result.status });
  const { kind, page } = readQuery(args.url);
  const query = toQueryString({ [kindParam]: kind, [pageParam]: page > 1 ? `${page}` : null });
  throw redirect(waitingPath + query);
}

export const meta = () => [{ title: "Waiting – The desk" }];

export default function WaitingRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <WaitingPage {...loaderData} error={actionData?.summary ?? null} />;
}
