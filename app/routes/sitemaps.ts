import { type AppContext, appContext } from "../context.ts";
import type { Route } from "./+types/sitemaps.ts";

export async function loader({ context, params, pattern }: Route.LoaderArgs) {
  const xml = await write(context.get(appContext), pattern, params.file);
  if (xml === null) throw new Response("There is no such sitemap.\n", { status: 404 });
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}

/** Writes the list of all sitemaps, one of them, or the sitemap for Google News. */
function write(services: AppContext, pattern: string, file?: string): Promise<string | null> {
  const { sitemaps } = services;
  if (file !== undefined) return sitemaps.writePart(services, file);
  return pattern === "sitemap.xml" ? sitemaps.writeIndex(services) : sitemaps.writeNews(services);
}
