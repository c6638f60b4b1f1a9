import { describe, expect, it } from "vitest";
import { createIncomingBodies } from "./incoming-bodies.ts";

type Bodies = ReturnType<typeof createIncomingBodies>;
/** Begins to receive a body. Returns null if it is refused. */
function begin(bodies: Bodies, ipAddress: string, drop = () => {}) {
  const body = bodies.begin(ipAddress, drop);
  return typeof body === "string" ? null : body;
}

const limits = { bytes: { visitor: 500, all: 1_000 }, bodies: { visitor: 2, all: 5 } };

describe("bodies that are arriving", () => {
  it("stay within the memory limits per visitor and in total", () => {
    const bodies = createIncomingBodies(limits, () => 0);
    const one = begin(bodies, "192.0.2.1");
    const two = begin(bodies, "192.0.2.1");
    expect(bodies.begin("192.0.2.1", () => {})).toBe("too-many-of-visitor");
    expect([one?.add(300), two?.add(200), two?.add(1)]).toEqual([true, true, false]);
    expect(begin(bodies, "192.0.2.2")?.add(500)).toBe(true);
    expect(begin(bodies, "192.0.2.3")?.add(1)).toBe(false);
    one?.end();
    expect(begin(bodies, "192.0.2.1")?.add(300)).toBe(true);
  });

  it("are dropped in favor of faster ones, the slowest first, unless they are complete", () => {
    let time = 0;
    const bodies = createIncomingBodies(limits, () => time);
    const dropped: string[] = [];
    const beginDroppable = (ipAddress: string) => {
      const body = begin(bodies, ipAddress, () => {
        dropped.push(ipAddress);
        body?.release(300);
      });
      return body;
    };
    const complete = beginDroppable("192.0.2.1");
    const trickle = beginDroppable("192.0.2.2");
    const steady = beginDroppable("192.0.2.3");
    for (const body of [complete, trickle, steady]) body?.add(300);
    complete?.complete();
    time = 60_000;
    steady?.add(100);
    const reader = beginDroppable("192.0.2.4");
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
    expect(bodies.begin("192.0.2.9", () => {})).toBe("too-many-of-all");
    time = 60_000;
    expect(begin(bodies, "192.0.2.9")).not.toBeNull();
    expect(dropped).toBe(1);
  });

  it("no longer count as soon as they are dropped, so that another one has room", () => {
    let time = 0;
    const bodies = createIncomingBodies(limits, () => time);
    let dropped = 0;
    const beginDroppable = (ipAddress: string) =>
      begin(bodies, ipAddress, () => {
        dropped += 1;
      });
    const started = Array.from({ length: 5 }, (_, n) => beginDroppable(`192.0.2.${n}`));
    time = 60_000;
    expect(beginDroppable("192.0.2.8")).not.toBeNull();
    expect(dropped).toBe(1);
    started.at(-1)?.end();
    expect(beginDroppable("192.0.2.9")).not.toBeNull();
    expect(dropped).toBe(1);
  });
});
