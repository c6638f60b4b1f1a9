import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";

/** The proxies in front of this server. Only their forwarded headers are trusted. */
export type Proxies = {
  /** Whether any proxy is configured. */
  exist: boolean;
  include(ipAddress: string): boolean;
};

export const noProxies: Proxies = { exist: false, include: () => false };

const loopback = ["127.0.0.0/8", "::1"];

/**
 * Reads TRUST_PROXY: 0 for none, 1 for proxies on this machine, or IP addresses and networks.
 * Returns null if the value is invalid.
 */
export function readProxies(setting: string): Proxies | null {
  if (setting === "0") return noProxies;
  const networks = setting === "1" ? loopback : setting.split(",").map((part) => part.trim());
  const list = new BlockList();
  for (const network of networks) {
    const [, ipAddress = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
    const version = isIP(ipAddress);
    const maxBits = version === 4 ? 32 : 128;
    const prefix = Number(bits ?? maxBits);
    if (version === 0 || prefix > maxBits) return null;
    list.addSubnet(ipAddress, prefix, version === 4 ? "ipv4" : "ipv6");
  }
  // The last result is remembered, because nearly all requests come from the same proxy.
  let lastResult = { ipAddress: "", isProxy: false };
  return {
    exist: true,
    include(ipAddress) {
      if (ipAddress !== lastResult.ipAddress) {
        const version = isIP(ipAddress);
        const isProxy = version !== 0 && list.check(ipAddress, version === 4 ? "ipv4" : "ipv6");
        lastResult = { ipAddress, isProxy };
      }
      return lastResult.isProxy;
    },
  };
}

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
