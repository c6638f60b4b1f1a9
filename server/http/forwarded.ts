import type { IncomingMessage } from "node:http";
import type { Log } from "../../app/lib/log.ts";
import { isPrivate, type Proxies } from "../site/proxies.ts";
import { forwardedForHeader } from "./headers.ts";

/**
 * Creates a function that finds the public URL of a request and the IP address of its sender. It
 * warns once about a proxy that is not trusted.
 */
export function createForwardedResolver(proxies: Proxies, log: Log) {
  let hasWarned = false;
  /**
   * Behind a proxy that is not trusted, all readers count as one visitor and share that visitor's
   * rate limits.
   */
  function warnAboutProxy(): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn("proxy.not_trusted", {
      detail:
        "Requests come through a proxy that TRUST_PROXY does not name, so all readers share one visitor's limits. Set TRUST_PROXY to 1 for a proxy on this machine, otherwise to the IP address of the proxy.",
    });
  }
  return (received: Request, remoteAddress: string): { request: Request; ipAddress: string } => {
    const forwardedFor = received.headers.get(forwardedForHeader) ?? "";
    const isProxied = proxies.include(remoteAddress);
    if (!isProxied && forwardedFor !== "" && isPrivate(remoteAddress)) warnAboutProxy();
    return {
      request: withPublicOrigin(received, isProxied),
      ipAddress: clientIpAddress(forwardedFor, remoteAddress, isProxied),
    };
  };
}

/**
 * Returns the request with the scheme and host that readers see. Forwarded headers count only
 * behind our own proxy (TRUST_PROXY), and are removed here so that no later code can read them.
 */
export function withPublicOrigin(request: Request, trustProxy: boolean): Request {
  if (forwardedHeaderNames(request.headers).length === 0) return request;
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  const scheme = firstValue(headers.get("x-forwarded-proto"));
  const host = firstValue(headers.get("x-forwarded-host"));
  for (const name of forwardedHeaderNames(headers)) headers.delete(name);
  if (trustProxy) {
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

/** Returns the IP address that a request comes from. */
export function findIpAddress({ headers, socket }: IncomingMessage, proxies: Proxies): string {
  const { remoteAddress = "" } = socket;
  const forwardedFor = String(headers[forwardedForHeader] ?? "");
  return clientIpAddress(forwardedFor, remoteAddress, proxies.include(remoteAddress));
}

/** Whether the reader uses HTTPS, as our own proxy says. */
export function isSecure({ headers, socket }: IncomingMessage, proxies: Proxies): boolean {
  const scheme = headers["x-forwarded-proto"];
  if (scheme === undefined || !proxies.include(socket.remoteAddress ?? "")) return false;
  return scheme === "https" || firstValue(String(scheme)) === "https";
}

/**
 * Returns the IP address that a request comes from: the other end of the connection, or the client
 * that our own proxy names in X-Forwarded-For.
 */
export function clientIpAddress(
  forwardedFor: string,
  remoteAddress: string,
  trustProxy: boolean,
): string {
  // A proxy appends the client's IP address to the header. The client may have made up everything
  // before that.
  const forwarded = trustProxy ? forwardedFor.split(",").at(-1)?.trim() : undefined;
  return forwarded || remoteAddress;
}

const forwardedHeaderNames = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith("x-forwarded-") || name === "forwarded");

const firstValue = (header: string | null) => header?.split(",")[0]?.trim();
