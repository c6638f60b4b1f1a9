import { appContext } from "../../../context.ts";
import { requireEditor } from "../../../features/desk/sign-in/open-desk.server.ts";
import { imageResponse } from "../../../features/desk/waiting/images.server.ts";
import type { RouteHandle } from "../../../platform/route-handle.ts";
import type { Route } from "./+types/image.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  return imageResponse(services.db, args.params.id);
}
