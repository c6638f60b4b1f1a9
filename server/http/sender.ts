import type { IncomingHttpHeaders } from "node:http";
import type { Proxies } from "../site/proxies.ts";

/**
 * The sender of a request: the other end of the connection or, behind our own proxy, the client
 * that the proxy names.
 */
export type Sender = { ipAddress: string; isSecure: boolean };

/** What a request has before it is parsed further, with HTTP/1 or 2. */
type RawRequest = {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
};

export function identifySender({ headers, socket }: RawRequest, proxies: Proxies): Sender {
  const { remoteAddress = "" } = socket;
  if (!proxies.include(remoteAddress)) return { ipAddress: remoteAddress, isSecure: false };
  // A proxy appends the client's IP address to the header. The client may have made up everything
  // before that.
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  const scheme = firstValue(String(headers["x-forwarded-proto"] ?? ""));
  return { ipAddress: forwarded || remoteAddress, isSecure: scheme === "https" };
}

/**
 * Returns the request with the scheme and host that readers see. Forwarded headers count only
 * behind our own proxy (TRUST_PROXY), and are removed here so that no later code can read them.
 */
export function withPublicOrigin(request: Request, isProxied: boolean): Request {
  const names = [...request.headers.keys()].filter(
    (name) => name.startsWith("x-forwarded-") || name === "forwarded",
  );
  if (names.length === 0) return request;
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  const scheme = firstValue(headers.get("x-forwarded-proto"));
  const host = firstValue(headers.get("x-forwarded-host"));
  for (const name of names) headers.delete(name);
  if (isProxied) {
    if (scheme === "https" || scheme === "http") url.protocol = scheme;
    if (host && /^[\w.-]+(:\d+)?$/.test(host)) {
      // Without this line, a host without a port would keep the port of the internal URL.
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

const firstValue = (header: string | null) => header?.split(",")[0]?.trim();
