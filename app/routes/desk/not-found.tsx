import { appContext } from "../../context.ts";
import { requireEditor } from "../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../features/failures/missing.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/not-found.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** Matches every path of the desk that no other route matches. */
export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  throw await missingPage(services);
}

export const action = loader;

export default function DeskNotFoundRoute() {
  return null;
}
