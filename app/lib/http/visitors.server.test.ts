import { describe, expect, it } from "vitest";
import { createConcurrencyLimit, createRateLimit, toVisitor } from "./visitors.server.ts";

describe("a visitor", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7", null],
    ["::ffff:192.0.2.7", "192.0.2.7", null],
    ["::FFFF:c000:207", "192.0.2.7", null],
    ["192.0.2.7:51234", "192.0.2.7", null],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["[2001:DB8:1:2::9]:443", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0::/48"],
    ["not an address", "unknown", null],
    ["", "unknown", null],
    ["1.2.3.4.5:1", "unknown", null],
  ])("at %s is %s", (address, network, region) => {
    expect(toVisitor(address)).toEqual({ network, region });
  });
});

describe("a rate per visitor", () => {
  it("allows a burst, then the steady rate, and tells how long to wait", () => {
    let time = 0;
    const rate = createRateLimit({ burst: 3, perSecond: 0.5 }, () => time);
    const take = () => rate.take("192.0.2.7");
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 2]);
    expect(rate.take("192.0.2.8")).toBe(0);
    time = 2_000;
    expect([take(), take()]).toEqual([0, 2]);
  });

  it("counts all addresses of a /64 as one, and those of a /48 together, loosely", () => {
    const rate = createRateLimit({ burst: 2, perSecond: 1 }, () => 0);
    const served = (addresses: string[]) =>
      addresses.filter((address) => rate.take(address) === 0).length;
    expect(served(Array.from({ length: 50 }, (_, n) => `2001:db8:1:1::${n.toString(16)}`))).toBe(2);
    expect(served(Array.from({ length: 50 }, (_, n) => `2001:db8:2:${n.toString(16)}::1`))).toBe(
      16,
    );
    expect(served(["2001:db8:3:1::1"])).toBe(1);
  });

  it("stays small when very many addresses come", () => {
    const rate = createRateLimit({ burst: 2, perSecond: 1 }, () => 0);
    for (let n = 0; n < 20_100; n += 1) rate.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(rate.remembered).toBe(20_000);
  });
});

describe("places per visitor", () => {
  it("are given back once, and nothing is remembered of a visitor who holds none", () => {
    const places = createConcurrencyLimit(2);
    const [one, two] = [places.take("2001:db8::1"), places.take("2001:db8::2")];
    expect(places.take("2001:db8::3")).toBeNull();
    expect([places.hasRoom("2001:db8::3"), places.hasRoom("192.0.2.7")]).toEqual([false, true]);
    expect(places.take("192.0.2.7")).not.toBeNull();
    one?.();
    one?.();
    const three = places.take("2001:db8::3");
    expect(three).not.toBeNull();
    expect(places.take("2001:db8::4")).toBeNull();
    two?.();
    three?.();
    expect(places.remembered).toBe(1);
  });
});
