import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBroadcast, type ListenerConnection } from "./broadcast.ts";

type Ear = ListenerConnection & { heard: string; isGone: boolean; writableNeedDrain: boolean };

/** Somebody who listens, and can be made to take nothing more. */
function ear(): Ear {
  return {
    heard: "",
    isGone: false,
    writableNeedDrain: false,
    write(bytes) {
      this.heard += bytes.toString();
      return true;
    },
    end() {
      this.isGone = true;
    },
    destroy() {
      this.isGone = true;
    },
  };
}

const options = { burstBytes: 8, bufferBytes: 20, roundMs: 1_000, groups: 10 };
const play = (air: { play(bytes: Buffer): void }, ...pieces: string[]) => {
  for (const piece of pieces) air.play(Buffer.from(piece));
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a broadcast", () => {
  it("gives a newcomer the last moments at once, from the beginning of a piece", () => {
    const air = createBroadcast(() => {}, options);
    play(air, "aaa", "bbbb", "cccc", "dd");
    const listener = ear();
    air.join(listener);
    expect(listener.heard).toBe("bbbbccccdd");
  });

  it("brings everybody the same, each once a second", () => {
    const air = createBroadcast(() => {}, options);
    const listeners = [ear(), ear(), ear()];
    play(air, "start ");
    for (const listener of listeners) air.join(listener);
    play(air, "one ");
    vi.advanceTimersByTime(1_000);
    play(air, "two ", "three");
    vi.advanceTimersByTime(1_000);
    expect(listeners.map(({ heard }) => heard)).toEqual(Array(3).fill("start one two three"));
  });

  it("lets go of a listener who falls too far behind, and nobody else notices", () => {
    const dropped = vi.fn();
    const air = createBroadcast(dropped, options);
    const [quick, slow] = [ear(), ear()];
    play(air, "0123");
    air.join(quick);
    air.join(slow);
    slow.writableNeedDrain = true;
    for (let second = 0; second < 8; second += 1) {
      play(air, "4567");
      vi.advanceTimersByTime(1_000);
    }
    expect(slow).toMatchObject({ heard: "0123", isGone: true });
    expect(quick).toMatchObject({ heard: `0123${"4567".repeat(8)}`, isGone: false });
    expect(dropped).toHaveBeenCalledOnce();
    expect(air.listeners).toBe(1);
  });

  it("lets a listener who was slow for a moment catch up", () => {
    const air = createBroadcast(() => {}, options);
    const listener = ear();
    play(air, "0123");
    air.join(listener);
    listener.writableNeedDrain = true;
    play(air, "4567", "89ab", "cdef");
    vi.advanceTimersByTime(1_000);
    listener.writableNeedDrain = false;
    vi.advanceTimersByTime(2_000);
    expect(listener.heard).toBe("0123456789abcdef");
  });

  it("does nothing more when nobody listens", () => {
    const air = createBroadcast(() => {}, options);
    const listener = ear();
    play(air, "0123");
    air.join(listener);
    air.leave(listener);
    expect(vi.getTimerCount()).toBe(0);
  });
});
