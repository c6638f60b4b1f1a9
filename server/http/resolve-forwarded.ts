import type { Log } from "../../app/lib/log.ts";
import { isPrivate, type Proxies } from "../site/proxies.ts";
import { forwardedForHeader } from "./headers.ts";
import { clientIpAddress, withPublicOrigin } from "./public-origin.ts";

/**
 * Finds out by which address a request came and from whom, and warns once about a proxy that is not
 * trusted.
 */
export function createForwardedResolver(proxies: Proxies, log: Log) {
  let isWarned = false;
  /**
   * All readers behind a proxy that is not trusted count as one visitor, and share the limits of
   * one.
   */
  function warnOfProxy(): void {
    if (isWarned) return;
    isWarned = true;
    log.warn("proxy.not_trusted", {
      detail:
        "Requests come through a proxy that TRUST_PROXY does not name, so all readers share one visitor's limits. Set it to 1 for a proxy on this machine, else to the proxy's address.",
    });
  }
  return (given: Request, connected: string): { request: Request; address: string } => {
    const forwardedFor = given.headers.get(forwardedForHeader) ?? "";
    const isProxied = proxies.include(connected);
    if (!isProxied && forwardedFor !== "" && isPrivate(connected)) warnOfProxy();
    return {
      request: withPublicOrigin(given, isProxied),
      address: clientIpAddress(forwardedFor, connected, isProxied),
    };
  };
}
