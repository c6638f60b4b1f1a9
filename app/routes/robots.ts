/**
 * Crawlers may read everything; what is not to be listed says so itself, and must be crawled to be
 * heard.
 */
export function loader() {
  return new Response("User-agent: *\nAllow: /\n", {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
