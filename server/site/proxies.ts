import { BlockList, isIP } from "node:net";

/** The proxies in front of this server. Only their forwarded headers are believed. */
export type Proxies = {
  /** Whether there are any at all. */
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
 * Reads TRUST_PROXY: 0 for none, 1 for those on this machine, or addresses and networks; null if it
 * is none of these.
 */
export function readProxies(setting: string): Proxies | null {
  if (setting === "0") return noProxies;
  const networks = setting === "1" ? loopback : setting.split(",").map((part) => part.trim());
  const list = new BlockList();
  for (const network of networks) {
    const [, address = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const prefix = Number(bits ?? longest);
    if (version === 0 || prefix > longest) return null;
    list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
  }
  let last = { address: "", isProxy: false };
  return {
    exist: true,
    include(address) {
      // Nearly all requests come from the same proxy, and every one of them asks.
      if (address !== last.address) last = { address, isProxy: isListed(list, address) };
      return last.isProxy;
    },
  };
}

const privateList = readProxies(privateNetworks.join(","));

/** Whether an address belongs to this machine or to a network that is not the Internet. */
export const isPrivate = (address: string) => privateList?.include(address) ?? false;

const isListed = (list: BlockList, address: string) => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
};
