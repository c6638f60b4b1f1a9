/** Whether an If-None-Match header contains the ETag, compared weakly (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | null | undefined, etag: string): boolean {
  if (!header) return false;
  return header.split(",").some((tag) => {
    const listed = tag.trim();
    return listed === "*" || listed.replace(/^W\//, "") === etag;
  });
}

/** Responds with the body, or with status 304 if the client has it already. */
export function respondIfChanged(
  ifNoneMatch: string | null | undefined,
  etag: string,
  body: BodyInit,
  otherHeaders: HeadersInit,
): Response {
  const headers = new Headers(otherHeaders);
  headers.set("ETag", etag);
  const isUnchanged = matchesEtag(ifNoneMatch, etag);
  return new Response(isUnchanged ? null : body, { status: isUnchanged ? 304 : 200, headers });
}
