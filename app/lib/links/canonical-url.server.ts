import { redirect } from "react-router";

/**
 * Redirects to the canonical URL of the page if a query parameter has a value that the page does
 * not know. Redirects are not cached, so that invented values cannot fill the page cache. `known`
 * contains the valid value of each declared parameter, in the order of their declaration; null for
 * a parameter that is absent. An empty parameter counts as absent.
 */
export function requireCanonicalUrl(url: URL, known: Record<string, string | null>): void {
  const requested = (name: string) => url.searchParams.get(name) || null;
  if (Object.entries(known).every(([name, value]) => requested(name) === value)) return;
  const values = Object.entries(known).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  throw redirect(
    values.length === 0 ? url.pathname : `${url.pathname}?${new URLSearchParams(values)}`,
  );
}
