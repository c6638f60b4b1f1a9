import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { SetupError } from "./config.ts";
import { isCompressible } from "./media-types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "build/stamp");

export const clientFolder = join(root, "build/client");
export const serverEntry = join(root, "build/server/index.js");

/** All that the build is made of. */
const sources = ["app/**", "server/**", "db/**/*.ts", "package-lock.json", "*.config.ts", "tsconfig.json"];

/** Builds the site unless the last build was made from exactly these sources. */
export async function buildIfNeeded(say: (line: string) => void): Promise<void> {
  const stamp = await stampOfSources();
  const isBuilt = async () => (await readFile(stampFile, "utf8").catch(() => "")) === stamp;
  if (await isBuilt()) return;
  const release = await lockFolder(join(root, "node_modules/.build-lock"));
  try {
    // Somebody else may have built it while we waited.
    if (!(await isBuilt())) await build(stamp, say);
  } finally {
    await release();
  }
}

async function build(stamp: string, say: (line: string) => void): Promise<void> {
  say("Building the site (once per change, some seconds) …");
  await rm(stampFile, { force: true });
  await run("react-router", ["build"]);
  await compressFiles();
  // Written last and renamed into place: a build that was interrupted is never taken for a whole one.
  await writeFile(`${stampFile}.new`, stamp);
  await rename(`${stampFile}.new`, stampFile);
}

async function stampOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(sources, { cwd: root })) files.push(file);
  const hash = createHash("sha256").update(process.version);
  for (const file of files.sort()) {
    const path = join(root, file);
    if (/\.test\.tsx?$/.test(file) || !(await stat(path)).isFile()) continue;
    hash.update(file).update(await readFile(path));
  }
  return hash.digest("hex");
}

/** Brotli and gzip beside each file, at the strength nobody would wait for during a request. */
async function compressFiles(): Promise<void> {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  for await (const file of glob("**/*", { cwd: clientFolder })) {
    if (!isCompressible(extname(file))) continue;
    const path = join(clientFolder, file);
    const content = await readFile(path);
    const strongest = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    await writeFile(`${path}.br`, await brotli(content, strongest));
    await writeFile(`${path}.gz`, await zip(content, { level: 9 }));
  }
}

/** One build at a time, also when two cities start at once. The lock of a process that is gone is no lock. */
async function lockFolder(lock: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx" });
      return () => rm(lock, { force: true });
    } catch {
      const holder = Number(await readFile(lock, "utf8").catch(() => ""));
      if (holder > 0 && !isRunning(holder)) await rm(lock, { force: true });
      else await setTimeout(200);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    const child = spawn(process.execPath, [join(root, "node_modules/.bin", command), ...args], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production" },
    });
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(new SetupError(`The build failed:\n${Buffer.concat(output).toString("utf8")}`));
    });
  });
}

if (import.meta.main) await buildIfNeeded(console.log);
