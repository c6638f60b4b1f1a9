import { appContext } from "../context.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { sourceHealth } from "../features/feeds/health.server.ts";
import { healthTag } from "../features/feeds/refresh.server.ts";
import type { Route } from "./+types/status-json.ts";

/** The same as /status, for programs. */
export async function loader({ context }: Route.LoaderArgs) {
  const { site, db, tags, clock } = context.get(appContext);
  tags.add(healthTag);
  const sources = await sourceHealth(db, site.read(sectionsFile));
  return Response.json({ at: clock(), sources }, { headers: { "Access-Control-Allow-Origin": "*" } });
}
