import { expect, it } from "vitest";
import { createInFlight } from "./in-flight.server.ts";

it("runs work once for all callers at the same time, and again for later callers", async () => {
  const inFlight = createInFlight<number>();
  let runs = 0;
  const share = () => inFlight.share("a", async () => (runs += 1));
  expect(await Promise.all([share(), share(), inFlight.share("b", async () => 0)])).toEqual([
    1, 1, 0,
  ]);
  expect(inFlight.has("a")).toBe(false);
  expect(await share()).toBe(2);
});

it("rejects for all waiting callers when the work fails, and starts again for the next one", async () => {
  const inFlight = createInFlight<string>();
  const fail = () => inFlight.share("a", () => Promise.reject(new Error("failed")));
  expect(await Promise.allSettled([fail(), fail()])).toMatchObject([
    { status: "rejected" },
    { status: "rejected" },
  ]);
  expect(await inFlight.share("a", async () => "good")).toBe("good");
});

it("does not share work that began before a change with callers after the change", async () => {
  const inFlight = createInFlight<string>();
  const { promise: old, resolve: finishOld } = Promise.withResolvers<string>();
  const { promise: recent, resolve: finishRecent } = Promise.withResolvers<string>();
  const before = inFlight.share("a", () => old);
  inFlight.detach();
  const after = inFlight.share("a", () => recent);
  finishOld("old");
  expect(await before).toBe("old");
  expect(inFlight.share("a", async () => "third")).toBe(after);
  finishRecent("new");
  expect(await after).toBe("new");
});
