import { expect, it } from "vitest";
import { createLog } from "../log.ts";
import { readInTime, withTimeout } from "./with-timeout.server.ts";

let lines = "";
const log = createLog({ write: (line) => (lines += line) });
const never = new Promise<string>(() => {});
/** Far longer than any of these tests takes. */
const longTimeoutMs = 24 * 60 * 60 * 1000;

it("the result of work that finishes in time is returned", async () => {
  expect(await withTimeout(log, "part", longTimeoutMs, Promise.resolve("done"))).toEqual({
    value: "done",
  });
});

it("work that takes too long or fails has no result, and the log says which part is missing", async () => {
  expect(await withTimeout(log, "slow", 1, never)).toBeNull();
  expect(await withTimeout(log, "broken", longTimeoutMs, Promise.reject("no"))).toBeNull();
  expect(lines).toMatch(
    /"event":"slow\.not_ready","timeoutMs":1\b.*\n.*"event":"broken\.not_ready"/,
  );
});

it("a page without one of its parts expires soon", async () => {
  const now = new Date("2026-11-15T12:00:00Z");
  const expiries: Date[] = [];
  const services = { log, clock: () => now, expireAt: (instant: Date) => expiries.push(instant) };
  await readInTime(services, "part", Promise.resolve("done"));
  expect(expiries).toEqual([]);
  expect(await readInTime(services, "part", never, { timeoutMs: 1, delayMs: 5_000 })).toBeNull();
  expect(expiries).toEqual([new Date("2026-11-15T12:00:05Z")]);
});
