import { redirect } from "react-router";
import { toQueryString } from "./query.ts";

/**
 * Redirects to the canonical URL of the page if a query parameter has a value that the page does
 * not know. Redirects are not cached, so that invented values cannot fill the page cache. `known`
 * has an entry for each parameter of the page, in the order of the canonical URL: the value if it
 * is valid, or null if it is absent or not valid. An empty parameter counts as absent.
 */
export function requireCanonicalUrl(url: URL, known: Record<string, string | null>): void {
  const requested = (name: string) => url.searchParams.get(name) || null;
  if (Object.entries(known).every(([name, value]) => requested(name) === value)) return;
  throw redirect(url.pathname + toQueryString(known));
}
