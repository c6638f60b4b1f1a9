import { Outlet } from "react-router";
import { appContext } from "../../context.ts";
import { siteSettingsFile } from "../../features/brand/files.server.ts";
import stylesheet from "../../features/desk/desk.css?url";
import { DeskFrame } from "../../features/desk/pages/desk-frame.tsx";
import { findSession } from "../../features/desk/sign-in/devices.server.ts";
import { requireDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { countWaiting } from "../../features/desk/waiting/list.server.ts";
import { listWaitingAlerts } from "../../features/official-alerts/store.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/layout.ts";

export const handle = { cache: "none", ownFrame: true } satisfies RouteHandle;

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** What the frame shows. Each page of the desk checks by itself who asks for it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  await requireDesk(services);
  const { name } = services.site.read(siteSettingsFile);
  const session = await findSession(services, request.headers.get("Cookie"));
  return {
    siteName: name,
    editor: session?.editor ?? null,
    waiting: session ? await countWaiting(services) : 0,
    alerts: session ? (await listWaitingAlerts(services.db, services)).length : 0,
  };
}

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  return (
    <DeskFrame {...loaderData}>
      <Outlet />
    </DeskFrame>
  );
}
