// Measures whether `npm start` on a built checkout fits into 512 MB: `npm run bench:memory --
// [minutes]`, 10 minutes by default. Runs a first start, a load of pages, searches and forms, and a
// backup. With root permissions, everything runs in a control group (cgroup) with that limit.
// Prints the peak of each process, and fails when the limit is exceeded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { smallMemory } from "../db/pglite/small-memory.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import { findFreePort } from "../tests/support/free-port.ts";
import { temporaryFolder } from "../tests/support/server.ts";

const limitMegabytes = 512;
const minutes = Number(process.argv[2] ?? 10);
const concurrentClients = 3;
const pages = [
  "/",
  "/about",
  "/news",
  "/local",
  "/events",
  "/archives",
  "/blog",
  "/status",
  "/news/arabbers",
];

type Group = { name: string; enter: string; readKills(): string; remove(): void };

/** Creates a control group of version 2. Returns null if this machine does not allow that. */
function createGroup(): Group | null {
  const folder = join("/sys/fs/cgroup", `harborline-bench-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "memory.max"), String(limitMegabytes * 1024 * 1024));
    return {
      name: folder,
      enter: `echo $$ > ${join(folder, "cgroup.procs")} && `,
      readKills: () =>
        /oom_kill (\d+)/.exec(readFileSync(join(folder, "memory.events"), "utf8"))?.[1] ??
        "unknown",
      remove: () => rmdirSync(folder),
    };
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return null;
  }
}

const group = createGroup();
await buildIfNeeded(console.log);
const data = await temporaryFolder();
const port = await findFreePort();
const env = {
  ...process.env,
  PORT: String(port),
  DATA_DIR: data.path,
  OFFLINE: "1",
  TRUST_PROXY: "1",
  ...(group ? {} : smallMemory.env),
};
console.log(
  group
    ? `in ${group.name}, limited to ${limitMegabytes} MB`
    : "without a limit: this user cannot create a control group",
);
// Without a limit, `npm start` would choose the settings for a larger machine.
const start = group
  ? `${group.enter}exec npm start`
  : `exec node ${smallMemory.flags.join(" ")} server/main.ts`;
const server = spawn("sh", ["-c", start], {
  env,
  stdio: ["ignore", "pipe", "ignore"],
});
const ended = once(server, "exit");
/** The peak of each process's resident memory, in MB. */
const peaks = new Map<string, number>();
/** The peak of the resident memory of all processes together, in MB. */
let peakSum = 0;
const memoryTimer = setInterval(() => {
  let sum = 0;
  for (const { name, resident, peak } of readProcessTree(server.pid ?? 0)) {
    peaks.set(name, Math.max(peaks.get(name) ?? 0, peak));
    sum += resident;
  }
  peakSum = Math.max(peakSum, sum);
}, 50);
const phases: Record<string, string> = {};
const recordPhase = (phase: string) => {
  phases[phase] = `${Math.round(peakSum)} MB at most in total`;
};

await new Promise<void>((resolve, reject) => {
  server.stdout.on("data", (chunk: Buffer) => chunk.includes("is running at") && resolve());
  ended.then(() => reject(new Error("The server exited before it was running.")));
});
recordPhase("first start");

const statuses: Record<number, number> = {};
const until = performance.now() + minutes * 60_000;
let turn = 0;
/** Returns the status code of the response, or 0 if the connection ended without a response. */
async function sendRequest(visitor: number): Promise<number> {
  // Each request seems to come from another visitor, so that no rate limit refuses it.
  const isForm = visitor % 20 === 0;
  const page = visitor % 5 === 0 ? `/search?q=harbor+${visitor}` : pages[visitor % pages.length];
  const response = await fetch(`http://localhost:${port}${isForm ? "/newsletter" : page}`, {
    headers: { "x-forwarded-for": `81.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}` },
    ...(isForm && {
      method: "POST",
      body: new URLSearchParams({ email: `reader${visitor}@example.com` }),
    }),
  }).catch(() => null);
  await response?.bytes().catch(() => {});
  return response?.status ?? 0;
}

const sendRequests = async () => {
  while (performance.now() < until) {
    turn += 1;
    const status = await sendRequest(turn);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await pause(20);
  }
};
await Promise.all(Array.from({ length: concurrentClients }, sendRequests));
recordPhase(`${minutes} minutes of load`);

const backup = spawn("sh", ["-c", `${group?.enter ?? ""}exec ./newsroom backup`], {
  env,
  stdio: "inherit",
});
const [backupExit] = await once(backup, "exit");
recordPhase("and a backup");
clearInterval(memoryTimer);
const kills = group?.readKills();
server.kill();
const [exit] = await ended;
await pause(500);
group?.remove();
await data.remove();
console.table(phases);
console.table(
  Object.fromEntries([...peaks].map(([name, peak]) => [name, `${Math.round(peak)} MB`])),
);
console.log(
  `responses by status: ${JSON.stringify(statuses)}; processes killed for memory: ${kills ?? "not limited"}`,
);
// Shared memory is counted in each process, so the sum is larger than the memory of the group.
const fits = group ? kills === "0" : peakSum <= limitMegabytes;
const hasPassed = exit === 0 && backupExit === 0 && fits;
console.log(
  hasPassed
    ? `The server fits into ${limitMegabytes} MB.`
    : `The server does not fit into ${limitMegabytes} MB.`,
);
process.exitCode = hasPassed ? 0 : 1;

type ProcessMemory = { name: string; resident: number; peak: number };

/** Returns the memory of a process and of all its descendants, in MB. */
function readProcessTree(root: number): ProcessMemory[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        const field = (name: string) =>
          Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const name = command.find((word) => /\.ts$/.test(word)) ?? command[0] ?? "";
        return [
          {
            pid: Number(pid),
            parent: field("PPid"),
            name,
            resident: field("VmRSS") / 1_024,
            peak: field("VmHWM") / 1_024,
          },
        ];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });
  const tree = all.filter(({ pid }) => pid === root);
  for (const process of tree) tree.push(...all.filter(({ parent }) => parent === process.pid));
  return tree;
}
