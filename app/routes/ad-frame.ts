import { appContext } from "../context.ts";
import { adFrameResponse } from "../features/ads/ad-frame.server.ts";
import { adsFile } from "../features/ads/files.server.ts";
import { hasAdSlot } from "../features/ads/rows.server.ts";
import type { Route } from "./+types/ad-frame.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const ads = context.get(appContext).site.read(adsFile);
  if (!ads.loader || !hasAdSlot(ads, params.slot))
    throw new Response("There is no such ad slot.\n", { status: 404 });
  return adFrameResponse(ads.loader, params.slot);
}
