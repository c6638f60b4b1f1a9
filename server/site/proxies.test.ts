import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { readProxies } from "./proxies.ts";

describe("TRUST_PROXY", () => {
  it.each([
    ["0", ["127.0.0.1", "::1"], false],
    ["1", ["127.0.0.1", "127.5.5.5", "::1", "::ffff:127.0.0.1"], true],
    ["1", ["10.0.0.5", "203.0.113.7", "2001:db8::1", "", "::ffff:10.0.0.5"], false],
    ["10.0.0.5", ["10.0.0.5", "::ffff:10.0.0.5"], true],
    ["10.0.0.5", ["10.0.0.6", "127.0.0.1"], false],
    ["10.1.0.0/16, 2001:db8::/32", ["10.1.200.3", "2001:db8:5::1"], true],
    ["10.1.0.0/16, 2001:db8::/32", ["10.2.0.1", "2001:db9::1"], false],
  ])("with the value %s: are %j trusted proxies? %s", (setting, addresses, isProxy) => {
    const proxies = readProxies(setting);
    // Each address is checked twice, because the last result is cached.
    for (const address of [...addresses, ...addresses])
      expect(proxies?.include(address), address).toBe(isProxy);
  });

  it.each([
    "yes",
    "nginx.example",
    "10.0.0.0/33",
    "10.0.0.5 10.0.0.6",
    "10.0.0.5,",
    "::1/129",
    "1,10.0.0.5",
  ])("with the value %j is refused, and the error names the setting", (setting) => {
    expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(
      "  TRUST_PROXY: must be 0, 1 (a proxy on this machine)",
    );
  });
});
