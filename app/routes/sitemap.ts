import { appContext } from "../context.ts";
import type { Route } from "./+types/sitemap.ts";

/** /sitemap.xml: the list of all sitemaps, for search engines. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  return new Response(await services.sitemaps.writeIndex(services), {
    headers: { "Content-Type": "application/xml; charset=utf-8" },
  });
}
