import type { Log } from "../../app/lib/log.ts";
import { isPrivate, type Proxies } from "../site/proxies.ts";
import { forwardedForHeader } from "./headers.ts";
import { clientIpAddress, withPublicOrigin } from "./public-origin.ts";

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
