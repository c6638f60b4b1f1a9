import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBroadcast, type ListenerConnection } from "./broadcast.ts";

type FakeConnection = ListenerConnection & {
  heard: string;
  isClosed: boolean;
  writableNeedDrain: boolean;
};

/** Creates the connection of a listener. With `writableNeedDrain` it accepts no more data. */
function fakeConnection(): FakeConnection {
  return {
    heard: "",
    isClosed: false,
    writableNeedDrain: false,
    write(bytes) {
      this.heard += bytes.toString();
      return true;
    },
    end() {
      this.isClosed = true;
    },
    destroy() {
      this.isClosed = true;
    },
  };
}

const options = { burstBytes: 8, bufferBytes: 20, roundMs: 1_000, groupCount: 10 };
const play = (broadcast: { play(bytes: Buffer): void }, ...chunks: string[]) => {
  for (const chunk of chunks) broadcast.play(Buffer.from(chunk));
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a broadcast", () => {
  it("sends a new listener the last moments at once, from the start of a chunk", () => {
    const broadcast = createBroadcast(() => {}, options);
    play(broadcast, "aaa", "bbbb", "cccc", "dd");
    const listener = fakeConnection();
    broadcast.join(listener);
    expect(listener.heard).toBe("bbbbccccdd");
  });

  it("sends every listener the same audio, once per second", () => {
    const broadcast = createBroadcast(() => {}, options);
    const listeners = [fakeConnection(), fakeConnection(), fakeConnection()];
    play(broadcast, "start ");
    for (const listener of listeners) broadcast.join(listener);
    play(broadcast, "one ");
    vi.advanceTimersByTime(1_000);
    play(broadcast, "two ", "three");
    vi.advanceTimersByTime(1_000);
    expect(listeners.map(({ heard }) => heard)).toEqual(Array(3).fill("start one two three"));
  });

  it("disconnects a listener who falls too far behind, without affecting others", () => {
    const dropped = vi.fn();
    const broadcast = createBroadcast(dropped, options);
    const [quick, slow] = [fakeConnection(), fakeConnection()];
    play(broadcast, "0123");
    broadcast.join(quick);
    broadcast.join(slow);
    slow.writableNeedDrain = true;
    for (let second = 0; second < 8; second += 1) {
      play(broadcast, "4567");
      vi.advanceTimersByTime(1_000);
    }
    expect(slow).toMatchObject({ heard: "0123", isClosed: true });
    expect(quick).toMatchObject({ heard: `0123${"4567".repeat(8)}`, isClosed: false });
    expect(dropped).toHaveBeenCalledOnce();
    expect(broadcast.listenerCount).toBe(1);
  });

  it("lets a listener who was slow for a moment catch up", () => {
    const broadcast = createBroadcast(() => {}, options);
    const listener = fakeConnection();
    play(broadcast, "0123");
    broadcast.join(listener);
    listener.writableNeedDrain = true;
    play(broadcast, "4567", "89ab", "cdef");
    vi.advanceTimersByTime(1_000);
    listener.writableNeedDrain = false;
    vi.advanceTimersByTime(2_000);
    expect(listener.heard).toBe("0123456789abcdef");
  });

  it("stops its timer when the last listener leaves", () => {
    const broadcast = createBroadcast(() => {}, options);
    const listener = fakeConnection();
    play(broadcast, "0123");
    broadcast.join(listener);
    broadcast.leave(listener);
    expect(vi.getTimerCount()).toBe(0);
  });
});
