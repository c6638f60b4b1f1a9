import { appContext } from "../context.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import type { Route } from "./+types/status-json.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** The same information as /status, for programs. */
export async function loader({ context }: Route.LoaderArgs) {
  const { clock, readSourceHealth } = context.get(appContext);
  return Response.json(
    { at: clock(), sources: await readSourceHealth() },
    { headers: { "Access-Control-Allow-Origin": "*" } },
  );
}
