import { appContext } from "../context.ts";
import { loadOnAir } from "../features/radio/schedule/on-air.server.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/radio-json.ts";

export const handle = { part: "radio" } satisfies RouteHandle;

/** What is on the air. The radio page loads it every minute, from the page cache. */
export async function loader({ context }: Route.LoaderArgs) {
  return Response.json(await loadOnAir(context.get(appContext)));
}
