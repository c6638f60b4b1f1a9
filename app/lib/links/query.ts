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

/** Reads the number of a page of a list. Everything else means the first page. */
export function readPageNumber(query: URLSearchParams, lastPage = Number.MAX_SAFE_INTEGER): number {
  const page = Number(query.get("page"));
  return Number.isInteger(page) && page > 1 && page <= lastPage ? page : 1;
}

/** The first page has no parameter. */
export const toPageParam = (page: number) => (page > 1 ? String(page) : null);
