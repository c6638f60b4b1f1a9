/**
 * Whether an If-None-Match header contains the ETag. According to RFC 9110 §13.1.2, the header is a
 * list that is compared weakly, or "*" for any ETag.
 */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(",").some((tag) => {
    const listed = tag.trim();
    return listed === "*" || listed.replace(/^W\//, "") === etag;
  });
}
