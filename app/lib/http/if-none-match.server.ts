/**
 * Whether If-None-Match names the ETag. RFC 9110 §13.1.2: a list compared weakly, or "*" for any.
 */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((tag) => {
    const given = tag.trim();
    return given === "*" || given.replace(/^W\//, "") === etag;
  });
}
