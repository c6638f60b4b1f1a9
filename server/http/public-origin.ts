/**
 * The address readers see: scheme and host. Forwarded headers count only behind a proxy of ours
 * (TRUST_PROXY), and are taken out here, so that nothing later can read them.
 */
export function withPublicOrigin(request: Request, trustProxy: boolean): Request {
  // Without a length the body has to be counted as it comes, which only a whole Request lets one
  // do.
  const isCounted = request.method !== "POST" || request.headers.has("content-length");
  if (isCounted && !forwardedNames(request.headers).length) return request;
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  const scheme = firstOf(headers.get("x-forwarded-proto"));
  const host = firstOf(headers.get("x-forwarded-host"));
  for (const name of forwardedNames(headers)) headers.delete(name);
  if (trustProxy) {
    if (scheme === "https" || scheme === "http") url.protocol = scheme;
    if (host && /^[\w.-]+(:\d+)?$/.test(host)) {
      // A host without a port would otherwise keep the port of the inner address.
      url.port = "";
      url.host = host;
    }
  }
  return new Request(url, {
    method: request.method,
    headers,
    body: request.body,
    signal: request.signal,
    ...(request.body ? { duplex: "half" } : {}),
  });
}

/**
 * Whom a request comes from: the other end of the connection, or the client that our own proxy
 * names (X-Forwarded-For).
 */
export function clientIpAddress(
  forwardedFor: string,
  connected: string,
  trustProxy: boolean,
): string {
  // A proxy adds at the end; what comes before may be of the reader's own making.
  const forwarded = trustProxy ? forwardedFor.split(",").at(-1)?.trim() : undefined;
  return forwarded || connected;
}

const forwardedNames = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith("x-forwarded-") || name === "forwarded");

const firstOf = (header: string | null) => header?.split(",")[0]?.trim();
