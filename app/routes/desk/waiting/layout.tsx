import { Outlet, useParams } from "react-router";
import { appContext } from "../../../context.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { noticeParam, notices } from "../../../features/desk/waiting/model.ts";
import { UndoBanner } from "../../../features/desk/waiting/pages/undo-banner.tsx";
import { listUndos } from "../../../features/desk/waiting/undo.server.ts";
import stylesheet from "../../../features/desk/waiting/waiting.css?url";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/layout.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const key = args.url.searchParams.get(noticeParam);
  const [, notice = null] = Object.entries(notices).find(([name]) => name === key) ?? [];
  return { undos: await listUndos(services.db, services.clock, editor), notice };
}

export default function WaitingLayout({ loaderData }: Route.ComponentProps) {
  const isList = useParams().id === undefined;
  return (
    <>
      <UndoBanner notice={loaderData.notice} undos={isList ? loaderData.undos : []} />
      <Outlet />
    </>
  );
}
