import { generateOpml } from "feedsmith";
import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import type { Route } from "./+types/opml.ts";

/** /feeds.opml: the feeds of all sections in one file, for feed readers. */
export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { name, origin } = site.read(siteSettingsFile);
  const outlines = Object.entries(site.read(sectionsFile).sections).map(([id, { heading }]) => ({
    text: heading,
    type: "rss",
    xmlUrl: `${origin}/feeds/${id}.xml`,
    htmlUrl: `${origin}/${id}`,
  }));
  return new Response(generateOpml({ head: { title: name }, body: { outlines } }), {
    headers: {
      "Content-Type": "text/x-opml; charset=utf-8",
      // Readers import the file into their feed reader. If the browser showed the file instead, the
      // current page would close and the radio would stop.
      "Content-Disposition": 'attachment; filename="feeds.opml"',
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
