import { describe, expect, it } from "vitest";
import { createConcurrencyLimit, createRateLimit, toVisitor } from "./limits.server.ts";

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
    expect(toVisitor(address)).toEqual({ visitor: network, region });
  });
});

describe("a rate limit", () => {
  it("allows a burst, then the steady rate, and returns how long to wait", () => {
    let time = 0;
    const rate = createRateLimit({ burst: 3, perSecond: 0.5 }, () => time);
    const take = () => rate.countRequest("192.0.2.7");
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 2]);
    expect(rate.countRequest("192.0.2.8")).toBe(0);
    time = 2_000;
    expect([take(), take()]).toEqual([0, 2]);
  });

  it("counts all IP addresses of a /64 as one visitor, and limits those of a /48 together, less strictly", () => {
    const rate = createRateLimit({ burst: 2, perSecond: 1 }, () => 0);
    const served = (addresses: string[]) =>
      addresses.filter((address) => rate.countRequest(address) === 0).length;
    expect(served(Array.from({ length: 50 }, (_, n) => `2001:db8:1:1::${n.toString(16)}`))).toBe(2);
    expect(served(Array.from({ length: 50 }, (_, n) => `2001:db8:2:${n.toString(16)}::1`))).toBe(
      16,
    );
    expect(served(["2001:db8:3:1::1"])).toBe(1);
  });

  it("can also limit all visitors together, but not those who ask for little", () => {
    let time = 0;
    const rate = createRateLimit({ burst: 20, perSecond: 1, totalFactor: 2 }, () => time);
    const countServed = (address: string) =>
      Array.from({ length: 50 }, () => rate.countRequest(address)).filter((wait) => wait === 0)
        .length;
    expect([1, 2, 3, 4].map((n) => countServed(`192.0.2.${n}`))).toEqual([20, 20, 2, 2]);
    expect(rate.hasRoom("192.0.2.4")).toBe(false);
    expect(rate.hasRoom("192.0.2.5")).toBe(true);
    time = 1_000;
    expect(countServed("192.0.2.3")).toBe(2);
  });

  it("uses little memory when requests come from very many IP addresses", () => {
    const rate = createRateLimit({ burst: 2, perSecond: 1 }, () => 0);
    for (let n = 0; n < 20_100; n += 1)
      rate.countRequest(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(rate.size).toBe(20_000);
  });
});

describe("a concurrency limit", () => {
  it("is released once per slot, and forgets visitors without a slot", () => {
    const limit = createConcurrencyLimit({ visitor: 2 });
    const [one, two] = [limit.takeSlot("2001:db8::1"), limit.takeSlot("2001:db8::2")];
    expect(limit.takeSlot("2001:db8::3")).toBeNull();
    expect([limit.hasRoom("2001:db8::3"), limit.hasRoom("192.0.2.7")]).toEqual([false, true]);
    expect(limit.takeSlot("192.0.2.7")).not.toBeNull();
    one?.();
    one?.();
    const three = limit.takeSlot("2001:db8::3");
    expect(three).not.toBeNull();
    expect(limit.takeSlot("2001:db8::4")).toBeNull();
    two?.();
    three?.();
    expect(limit.size).toBe(1);
  });

  it("can also be a limit of all visitors together", () => {
    const limit = createConcurrencyLimit({ visitor: 2, all: 3 });
    const releases = [1, 2].map((n) => limit.takeSlot(`192.0.2.${n}`));
    expect([limit.isFull(), limit.takeSlot(null)]).toEqual([false, expect.any(Function)]);
    expect([limit.isFull(), limit.takeSlot("192.0.2.3"), limit.takeSlot(null)]).toEqual([
      true,
      null,
      null,
    ]);
    releases[0]?.();
    expect(limit.takeSlot("192.0.2.3")).not.toBeNull();
  });
});
