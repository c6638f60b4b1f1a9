import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { writeManifest } from "../features/offline/manifest.server.ts";
import type { Route } from "./+types/manifest.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site, look } = context.get(appContext);
  const manifest = writeManifest(site.read(siteSettingsFile), look.paper);
  return new Response(JSON.stringify(manifest), {
    headers: { "Content-Type": "application/manifest+json; charset=utf-8" },
  });
}
