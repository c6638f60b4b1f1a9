import { describe, expect, it } from "vitest";
import { createIncomingBodies } from "./incoming-bodies.ts";

const limits = { bytes: { visitor: 500, all: 1_000 }, bodies: { visitor: 2, all: 5 } };

describe("bodies that are arriving", () => {
  it("stay within the memory limits per visitor and in total", () => {
    const bodies = createIncomingBodies(limits, () => 0);
    const one = bodies.begin("192.0.2.1", () => {});
    const two = bodies.begin("192.0.2.1", () => {});
    expect(bodies.begin("192.0.2.1", () => {})).toBeNull();
    expect([one?.add(300), two?.add(200), two?.add(1)]).toEqual([true, true, false]);
    expect(bodies.begin("192.0.2.2", () => {})?.add(500)).toBe(true);
    expect(bodies.begin("192.0.2.3", () => {})?.add(1)).toBe(false);
    one?.end();
    expect(bodies.begin("192.0.2.1", () => {})?.add(300)).toBe(true);
  });

  it("are dropped in favor of faster ones, the slowest first, unless they are complete", () => {
    let time = 0;
    const bodies = createIncomingBodies(limits, () => time);
    const dropped: string[] = [];
    const begin = (address: string) => {
      const body = bodies.begin(address, () => {
        dropped.push(address);
        body?.release(300);
      });
      return body;
    };
    const complete = begin("192.0.2.1");
    const trickle = begin("192.0.2.2");
    const steady = begin("192.0.2.3");
    for (const body of [complete, trickle, steady]) body?.add(300);
    complete?.complete();
    time = 60_000;
    steady?.add(100);
    const reader = begin("192.0.2.4");
    expect(reader?.add(300)).toBe(true);
    expect(dropped).toEqual(["192.0.2.2"]);
  });

  it("are limited in number, and a new one replaces the slowest", () => {
    let time = 0;
    const bodies = createIncomingBodies(limits, () => time);
    let dropped = 0;
    for (let n = 0; n < 5; n += 1)
      bodies.begin(`192.0.2.${n}`, () => {
        dropped += 1;
      });
    expect(bodies.begin("192.0.2.9", () => {})).toBeNull();
    time = 60_000;
    expect(bodies.begin("192.0.2.9", () => {})).not.toBeNull();
    expect(dropped).toBe(1);
  });
});
