// Whether `npm start` on a built checkout fits into 512 MB: `npm run bench:memory -- [minutes]`, 10
// unless said otherwise. A first start, a load of pages, searches and forms, and a backup;
// everything in a control group (cgroup) with that limit where one can be created, which takes
// root. Prints the peak of each process, and fails when the limit is exceeded.
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
import { buildIfNeeded } from "../server/process/build.ts";
import { freePort } from "../tests/support/free-port.ts";
import { temporaryFolder } from "../tests/support/server.ts";
import { ask } from "./support/visitors.ts";

const limitMegabytes = 512;
const minutes = Number(process.argv[2] ?? 10);
const lanes = 3;
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

type Group = { name: string; enter: string; describe(): string; remove(): void };

/**
 * A control group with the limit: version 2 of them, else version 1; null where none can be
 * created.
 */
function createGroup(): Group | null {
  const bytes = String(limitMegabytes * 1024 * 1024);
  const versions = [
    { parent: "/sys/fs/cgroup", limit: "memory.max", events: "memory.events" },
    {
      parent: "/sys/fs/cgroup/memory",
      limit: "memory.limit_in_bytes",
      events: "memory.oom_control",
    },
  ];
  for (const { parent, limit, events } of versions) {
    const folder = join(parent, `harborline-bench-${process.pid}`);
    try {
      mkdirSync(folder);
      if (!existsSync(join(folder, limit))) throw new Error("not a control group");
      writeFileSync(join(folder, limit), bytes);
      return {
        name: folder,
        enter: `echo $$ > ${join(folder, "cgroup.procs")} && `,
        describe: () =>
          /oom_kill (\d+)/.exec(readFileSync(join(folder, events), "utf8"))?.[1] ?? "unknown",
        remove: () => rmdirSync(folder),
      };
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
  return null;
}

const group = createGroup();
await buildIfNeeded(console.log);
const data = await temporaryFolder();
const port = await freePort();
const env = {
  ...process.env,
  PORT: String(port),
  DATA_DIR: data.path,
  OFFLINE: "1",
  TRUST_PROXY: "1",
};
console.log(
  group
    ? `in ${group.name}, limited to ${limitMegabytes} MB`
    : "without a limit: no control group can be created here",
);
const server = spawn("sh", ["-c", `${group?.enter ?? ""}exec npm start`], {
  env,
  stdio: ["ignore", "pipe", "ignore"],
});
const ended = once(server, "exit");
/** The greatest resident memory of each process, and of all at one moment. */
const peaks = new Map<string, number>();
let together = 0;
const watching = setInterval(() => {
  let sum = 0;
  for (const { name, resident, peak } of descendants(server.pid ?? 0)) {
    peaks.set(name, Math.max(peaks.get(name) ?? 0, peak));
    sum += resident;
  }
  together = Math.max(together, sum);
}, 50);
const phases: Record<string, string> = {};
const note = (phase: string) => {
  phases[phase] = `${Math.round(together)} MB together at most`;
};

await new Promise<void>((resolve, reject) => {
  server.stdout.on("data", (chunk: Buffer) => chunk.includes("is running at") && resolve());
  ended.then(() => reject(new Error("The server ended before it was open.")));
});
note("first start");

const statuses: Record<number, number> = {};
const until = performance.now() + minutes * 60_000;
let turn = 0;
const lane = async () => {
  while (performance.now() < until) {
    turn += 1;
    const from = turn;
    const asked = { port, from };
    const status =
      from % 20 === 0
        ? await ask({
            ...asked,
            method: "POST",
            path: "/newsletter",
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: `email=reader${from}%40example.com`,
          })
        : from % 5 === 0
          ? await ask({ ...asked, path: `/search?q=harbor+${from}` })
          : await ask({ ...asked, path: pages[from % pages.length] ?? "/" });
    statuses[status] = (statuses[status] ?? 0) + 1;
    await pause(20);
  }
};
await Promise.all(Array.from({ length: lanes }, lane));
note(`${minutes} minutes of load`);

const backup = spawn("sh", ["-c", `${group?.enter ?? ""}exec ./newsroom backup`], {
  env,
  stdio: "inherit",
});
const [backupExit] = await once(backup, "exit");
note("and a backup");
clearInterval(watching);
const kills = group?.describe();
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
  `answers by status: ${JSON.stringify(statuses)}; processes killed for memory: ${kills ?? "not limited"}`,
);
// Pages of memory that processes share are counted in each of them, so the sum is more than the
// group has.
const fits = group ? kills === "0" : together <= limitMegabytes;
const isGood = exit === 0 && backupExit === 0 && fits;
console.log(
  isGood ? `It fits into ${limitMegabytes} MB.` : `It does not fit into ${limitMegabytes} MB.`,
);
process.exitCode = isGood ? 0 : 1;

type Resident = { name: string; resident: number; peak: number };

/** A process and all that it started, in MB. Threads are part of their process. */
function descendants(root: number): Resident[] {
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
        // It has ended meanwhile.
        return [];
      }
    });
  const found = all.filter(({ pid }) => pid === root);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found;
}
