/**
 * Writes the query of a URL, with its question mark. Parameters without a value are left out, and
 * without any the query is empty.
 */
export function toQueryString(params: Record<string, string | null>): string {
  const query = new URLSearchParams(
    Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  return query.size === 0 ? "" : `?${query}`;
}
