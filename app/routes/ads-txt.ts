import { appContext } from "../context.ts";
import { adsFile } from "../features/ads/files.server.ts";
import type { Route } from "./+types/ads-txt.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { adsTxt } = context.get(appContext).site.read(adsFile);
  return new Response(`${adsTxt}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
