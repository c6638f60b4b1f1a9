import { appContext } from "../context.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import type { Route } from "./+types/robots.ts";

/**
 * Crawlers may read everything. Pages that search engines should not list have a "noindex" tag,
 * which a crawler sees only if it may read the page.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(appContext).site.read(siteSettingsFile);
  const lines = [
    "User-agent: *",
    "Allow: /",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    `Sitemap: ${origin}/news-sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
