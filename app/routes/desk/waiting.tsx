import { appContext } from "../../context.ts";
import { requireEditor } from "../../features/desk/sign-in/open-desk.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/waiting.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  await requireEditor(args.context.get(appContext), args);
  return null;
}

export const meta = () => [{ title: "Waiting – The desk" }];

export default function WaitingRoute() {
  return <h1 className="desk-heading">Waiting</h1>;
}
