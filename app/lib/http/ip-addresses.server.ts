import { BlockList, isIP } from "node:net";

/** All networks outside the public Internet (IANA's special-purpose registries, RFC 6890). */
const special = {
  ipv4: "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
  ipv6: "2001::/23 2001:db8::/32 2002::/16 3fff::/20",
};
const specialNetworks = new BlockList();
for (const family of ["ipv4", "ipv6"] as const)
  for (const network of special[family].split(" ")) {
    const [address = "", bits] = network.split("/");
    specialNetworks.addSubnet(address, Number(bits), family);
  }

/**
 * All IPv6 addresses that are allocated for public use so far. Loopback, private, mapped and
 * translated addresses are outside this range.
 */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

export function isPublicIpAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialNetworks.check(address, "ipv4");
    case 6:
      // The list would look up an IPv4 address in IPv6 notation as IPv4, so such addresses are
      // excluded first.
      return (
        !address.includes(".") &&
        globalUnicast.check(address, "ipv6") &&
        !specialNetworks.check(address, "ipv6")
      );
    default:
      return false;
  }
}
