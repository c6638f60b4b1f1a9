import { appContext } from "../context.ts";
import type { Route } from "./+types/news-sitemap.ts";

/** /news-sitemap.xml: the stories of the last 48 hours, for Google News. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  return new Response(await services.sitemaps.writeNews(services), {
    headers: { "Content-Type": "application/xml; charset=utf-8" },
  });
}
