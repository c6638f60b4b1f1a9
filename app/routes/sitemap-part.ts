import { appContext } from "../context.ts";
import type { Route } from "./+types/sitemap-part.ts";

/** /sitemap/stories.xml and the other sitemaps that /sitemap.xml lists. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const xml = await services.sitemaps.writePart(services, params.file);
  if (xml === null) throw new Response("There is no such sitemap.\n", { status: 404 });
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
