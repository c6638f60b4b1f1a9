/**
 * Crawlers may read everything. Pages that search engines should not list have a "noindex" tag,
 * which a crawler sees only if it may read the page.
 */
export function loader() {
  return new Response("User-agent: *\nAllow: /\n", {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
