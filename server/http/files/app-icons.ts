import { readFile } from "node:fs/promises";
import type { MiddlewareHandler } from "hono";
import { siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { appIconPrefix, appIcons, drawIcon } from "../../../app/features/offline/feature.server.ts";
import { createInFlight } from "../../../app/lib/http/in-flight.server.ts";
import { toImageKey } from "../../../app/lib/images/art.ts";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import type { PublicImages } from "../../site/public-images.ts";
import { imageCacheControl, noStore } from "../headers.ts";

type Options = { site: SiteContent; images: Pick<PublicImages, "find"> };

/** Serves the icons of the installed site, which are drawn from the city's mark on first use. */
export function serveAppIcons({ site, images }: Options): MiddlewareHandler {
  const drawn = new Map<string, { version: string; bytes: Uint8Array }>();
  const inFlight = createInFlight<Uint8Array>();

  return async (c, next) => {
    const icon = appIcons.find(({ name }) => c.req.path === `${appIconPrefix}${name}.png`);
    if (!icon) return next();
    const mark = await images.find(toImageKey(site.read(siteSettingsFile).mark).slice(1));
    if (!mark) return c.text("Not found.\n", 404, { "Cache-Control": noStore });
    const { version } = mark;
    let bytes = drawn.get(icon.name)?.version === version ? drawn.get(icon.name)?.bytes : undefined;
    bytes ??= await inFlight.share(`${icon.name} ${version}`, async () =>
      drawIcon(await readFile(mark.file), icon),
    );
    drawn.set(icon.name, { version, bytes });
    return c.body(new Uint8Array(bytes), 200, {
      "Content-Type": "image/png",
      "Cache-Control": c.req.query("v") === version ? imageCacheControl : "no-cache",
    });
  };
}
