import { redirect } from "react-router";

/**
 * Redirects to the page's known address when a parameter has a value that the page does not know.
 * Redirects are not stored, so made-up values cannot fill the page cache. `known` has the value
 * that counts for each declared parameter, in the order of their declaration; null for one that is
 * absent. A parameter without a value counts as absent.
 */
export function requireCanonicalUrl(url: URL, known: Record<string, string | null>): void {
  const asked = (name: string) => url.searchParams.get(name) || null;
  if (Object.entries(known).every(([name, value]) => asked(name) === value)) return;
  const values = Object.entries(known).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  throw redirect(
    values.length === 0 ? url.pathname : `${url.pathname}?${new URLSearchParams(values)}`,
  );
}
