import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { smallMemory } from "../../db/pglite/small-memory.ts";
import { startHelper } from "./helper-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fakeClock = new URL("fake-clock.ts", import.meta.url).href;

export type RunningServer = {
  url: string;
  process: ChildProcess;
  /** Sets the clock of a server that was started with FAKE_NOW. From then on, time passes as usual. */
  setClock(now: string): Promise<void>;
  /** Everything that the server has printed so far. */
  output(): string;
  /** Waits until the server has printed this text so often. Throws if the server ends before that. */
  waitForOutput(text: string, count?: number): Promise<void>;
  /** Sends the signal, waits until the process has ended, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Creates a temporary folder for one test. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "harborline-"));
  // The removal is synchronous, because removing a thousand files one after the other with promises
  // takes fifty times as long.
  return { path, remove: async () => rmSync(path, { recursive: true, force: true }) };
}

type Entry =
  | "server/start.ts"
  | "server/main.ts"
  | "server/dev.ts --all"
  | "bench/support/bare-server.ts";

/**
 * Starts the real server on a free port, with the settings of a small machine. `server/start.ts`
 * chooses the settings by the machine, as `npm start` does. Vite would be slow with them. With FAKE_NOW, the server believes that
 * it starts at this time, and `setClock` can change it.
 */
export async function startServer(
  env: Record<string, string>,
  entry: Entry = "server/main.ts",
  /** Benchmarks use "ignore": otherwise they would measure how fast they can read the log. */
  log: "pipe" | "ignore" = "pipe",
): Promise<RunningServer> {
  const [program = "", ...options] = entry.split(" ");
  const clockFlags = env.FAKE_NOW ? [`--import=${fakeClock}`] : [];
  const child = startHelper(
    process.execPath,
    [
      ...(["server/start.ts", "server/dev.ts"].includes(program) ? [] : smallMemory.flags),
      ...clockFlags,
      join(root, program),
      ...options,
    ],
    {
      cwd: root,
      // The server is offline, so that no external server can influence a test.
      env: { ...process.env, PORT: "0", OFFLINE: "1", ...env },
      stdio: ["ignore", "pipe", log, ...(env.FAKE_NOW ? (["ipc"] as const) : [])],
    },
  );
  let output = "";
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    const readOutput = (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const serverUrl = /is running (?:in development mode )?at (http:\S+)/.exec(output)?.[1];
      if (serverUrl) resolve(serverUrl);
    };
    child.stdout?.on("data", readOutput);
    child.stderr?.on("data", readOutput);
    // Not at `exit`, because output may still arrive after it.
    child.on("close", (code) =>
      reject(new Error(`The server exited with code ${code} before it was ready:\n${output}`)),
    );
  });
  return {
    url,
    process: child,
    async setClock(now) {
      const done = once(child, "message");
      child.send(now);
      await done;
    },
    output: () => output,
    async waitForOutput(text, count = 1) {
      while (output.split(text).length <= count) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The server has ended without printing ${text}:\n${output}`);
        await Promise.race([once(child.stderr ?? child, "data"), ended]);
      }
    },
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
