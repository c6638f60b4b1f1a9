import type { MiddlewareHandler } from "hono";
import { lookFile } from "../../../app/features/brand/feature.server.ts";
import { createMemo } from "../../../app/lib/memo.ts";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import { findCityStyle, stylesheetPath } from "../../../app/styles/city-style.server.ts";
import { chooseEncoding, compress, type Encoding } from "../encoding.ts";
import { buildFileCacheControl, noStore } from "../headers.ts";

/**
 * Serves the stylesheet of the build with the city's colors and fonts, which is written and
 * compressed once after each change of brand.yaml. A page from a cache may ask for an earlier
 * stylesheet, and gets the current one.
 */
export function serveStylesheet(site: SiteContent): MiddlewareHandler {
  const compressOnce = createMemo<Promise<Uint8Array<ArrayBuffer>>>();

  return async (c, next) => {
    if (!stylesheetPath.test(c.req.path)) return next();
    const style = findCityStyle(site.read(lookFile));
    const encoding = chooseEncoding(c.req.header("accept-encoding") ?? "");
    const body = compressOnce(encoding, [style], () => compressStyle(style.css, encoding));
    return c.body(await body, 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": c.req.path === style.page.stylesheet ? buildFileCacheControl : noStore,
      "Cross-Origin-Resource-Policy": "cross-origin",
      Vary: "Accept-Encoding",
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    });
  };
}

const brotliQuality = 11;

const compressStyle = async (css: string, encoding: Encoding) =>
  new Uint8Array(await compress(Buffer.from(css), encoding, brotliQuality));
