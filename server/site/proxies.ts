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
