import { appContext } from "../context.ts";
import {
  getDetails,
  getMetainfo,
  handleFunction,
  methodNotAllowed,
} from "../features/blog/backend/functions.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/blog-functions.ts";

/** Every request must be checked for the key in its headers, so responses are not cached. */
export const handle = { cache: "none", part: "blog" } satisfies RouteHandle;

export const loader = ({ request, context, pattern }: Route.LoaderArgs) =>
  handleFunction(
    request,
    context.get(appContext),
    pattern.endsWith("/get_details") ? getDetails : getMetainfo,
  );

export const action = methodNotAllowed;
