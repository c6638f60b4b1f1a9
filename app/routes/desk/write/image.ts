import { appContext } from "../../../context.ts";
import { openDesk } from "../../../features/desk/sign-in/open-desk.server.ts";
import { deskImageResponse } from "../../../features/desk/write/images.server.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/image.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  return deskImageResponse(desk.db, args.params.file);
}
