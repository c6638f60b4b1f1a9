import { type AppContext, appContext } from "../context.ts";
import type { Route } from "./+types/sitemaps.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const xml = await write(context.get(appContext), url.pathname, params.file);
  if (xml === null) throw new Response("There is no such sitemap.\n", { status: 404 });
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}

/** Writes the list of all sitemaps, or one of them, such as /sitemap/stories.xml. */
function write(services: AppContext, path: string, file?: string): Promise<string | null> {
  const { sitemaps } = services;
  if (file !== undefined) return sitemaps.writePart(services, file);
  return path === "/sitemap.xml" ? sitemaps.writeIndex(services) : sitemaps.writeNews(services);
}
