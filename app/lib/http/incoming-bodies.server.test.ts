import { describe, expect, it } from "vitest";
import { createIncomingBodies } from "./incoming-bodies.server.ts";

const limits = { totalBytes: 1_000, bytesPerVisitor: 500, totalBodies: 5, bodiesPerVisitor: 2 };

describe("bodies that arrive", () => {
  it("hold no more memory per visitor and in all than they may", () => {
    const arrivals = createIncomingBodies(limits, () => 0);
    const one = arrivals.begin("192.0.2.1", () => {});
    const two = arrivals.begin("192.0.2.1", () => {});
    expect(arrivals.begin("192.0.2.1", () => {})).toBeNull();
    expect([one?.add(300), two?.add(200), two?.add(1)]).toEqual([true, true, false]);
    expect(arrivals.begin("192.0.2.2", () => {})?.add(500)).toBe(true);
    expect(arrivals.begin("192.0.2.3", () => {})?.add(1)).toBe(false);
    one?.end();
    expect(arrivals.bytes).toBe(700);
    expect(arrivals.begin("192.0.2.1", () => {})?.add(300)).toBe(true);
  });

  it("give up their place to faster ones, the slowest first, but not once they are complete", () => {
    let time = 0;
    const arrivals = createIncomingBodies(limits, () => time);
    const dropped: string[] = [];
    const begin = (address: string) => {
      const arrival = arrivals.begin(address, () => {
        dropped.push(address);
        arrival?.release(300);
      });
      return arrival;
    };
    const whole = begin("192.0.2.1");
    const trickle = begin("192.0.2.2");
    const steady = begin("192.0.2.3");
    for (const arrival of [whole, trickle, steady]) arrival?.add(300);
    whole?.complete();
    time = 60_000;
    steady?.add(100);
    const reader = begin("192.0.2.4");
    expect(reader?.add(300)).toBe(true);
    expect(dropped).toEqual(["192.0.2.2"]);
    expect(arrivals.bytes).toBe(1_000);
  });

  it("are limited in number, and a new one takes the place of the slowest", () => {
    let time = 0;
    const arrivals = createIncomingBodies(limits, () => time);
    let dropped = 0;
    for (let n = 0; n < 5; n += 1)
      arrivals.begin(`192.0.2.${n}`, () => {
        dropped += 1;
      });
    expect(arrivals.begin("192.0.2.9", () => {})).toBeNull();
    time = 60_000;
    expect(arrivals.begin("192.0.2.9", () => {})).not.toBeNull();
    expect(dropped).toBe(1);
  });
});
