import { BlockList, isIP } from "node:net";

/** The proxies in front of this server. Only their forwarded headers are trusted. */
export type Proxies = {
  /** Whether any proxy is configured. */
  exist: boolean;
  include(address: string): boolean;
};

export const noProxies: Proxies = { exist: false, include: () => false };

const loopback = ["127.0.0.0/8", "::1"];
const privateNetworks = [
  ...loopback,
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
  "fe80::/10",
];

/**
 * Reads TRUST_PROXY: 0 for none, 1 for proxies on this machine, or IP addresses and networks.
 * Returns null if the value is invalid.
 */
export function readProxies(setting: string): Proxies | null {
  if (setting === "0") return noProxies;
  const networks = setting === "1" ? loopback : setting.split(",").map((part) => part.trim());
  const list = new BlockList();
  for (const network of networks) {
    const [, address = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
    const version = isIP(address);
    const maxBits = version === 4 ? 32 : 128;
    const prefix = Number(bits ?? maxBits);
    if (version === 0 || prefix > maxBits) return null;
    list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
  }
  let lastResult = { address: "", isProxy: false };
  return {
    exist: true,
    include(address) {
      // The last result is remembered, because this function runs for every request, and nearly all
      // requests come from the same proxy.
      if (address !== lastResult.address)
        lastResult = { address, isProxy: isListed(list, address) };
      return lastResult.isProxy;
    },
  };
}

const privateList = readProxies(privateNetworks.join(","));

/** Whether an IP address belongs to this machine or to a private network. */
export const isPrivate = (address: string) => privateList?.include(address) ?? false;

const isListed = (list: BlockList, address: string) => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
};
