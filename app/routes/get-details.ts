import { appContext } from "../context.ts";
import {
  getDetails,
  handleFunction,
  methodNotAllowed,
} from "../features/blog/backend/functions.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/get-details.ts";

/** The key is in the request's headers, which a kept answer would not ask for. */
export const handle = { page: { cache: "none" } } satisfies RouteHandle;

export const loader = ({ request, context }: Route.LoaderArgs) =>
  handleFunction(request, context.get(appContext), getDetails);

export const action = methodNotAllowed;
