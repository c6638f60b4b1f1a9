import { afterEach, beforeEach, expect, it, vi } from "vitest";

const hourMs = 60 * 60_000;
const update = vi.fn(async () => {});

beforeEach(() => {
  // The module remembers when the page was loaded, so each test needs a new one.
  vi.resetModules();
  update.mockClear();
  vi.useFakeTimers({ toFake: ["performance"] });
  // Vite's server for development has no worker.
  vi.stubEnv("DEV", false);
  const active = {
    postMessage: (_message: unknown, [port]: MessagePort[]) => port?.postMessage(null),
  };
  const registration = { active, update };
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  vi.stubGlobal("navigator", {
    serviceWorker: {
      register: async () => registration,
      getRegistration: async () => registration,
      addEventListener() {},
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it("a tab that stays open looks for a new version every hour", async () => {
  const { reportVisit } = await import("./report-visit.ts");
  const counts: number[] = [];
  for (const ms of [1_000, hourMs, 1_000, hourMs + 1]) {
    vi.advanceTimersByTime(ms);
    await reportVisit("/news", []);
    counts.push(update.mock.calls.length);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
});
