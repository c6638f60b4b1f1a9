import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { isCompressible } from "../../app/lib/http/media-types.ts";
import { buildEmptyDatabase } from "../../db/pglite/empty-database.ts";
import { holdShared, tryLock, withLock } from "./lock.ts";
import { failToStart, SetupError } from "./setup-error.ts";

/** `build` is a hash of all sources, so that another version has another one. */
type Build = { build: string; clientFolder: string; serverEntry: string };

const root = fileURLToPath(new URL("../..", import.meta.url));
const buildsFolder = join(root, "build");

const isSource = (file: string) =>
  (/^(app|server)\/|^db\/.*\.(ts|json|sql)$|^[^/]*\.config\.ts$/.test(file) &&
    !/\.test\.tsx?$/.test(file)) ||
  ["package-lock.json", "tsconfig.json"].includes(file);

/** How many builds are kept, besides those that a running process uses. */
const buildsToKeep = 3;
/** A process that uses a build holds this file of it. */
const lockName = "in-use.lock";

/** Returns the build of exactly the current sources, and creates it first if necessary. */
export async function buildIfNeeded(print: (line: string) => void): Promise<Build> {
  const hash = hashSources();
  const folder = join(buildsFolder, hash);
  if (!existsSync(folder)) {
    try {
      // Not recursive: on a read-only file system, Node.js would then report ENOENT instead of EROFS.
      await mkdir(buildsFolder).catch((error: unknown) => {
        if (!hasErrorCode(error, "EEXIST")) throw error;
      });
      await withLock(join(buildsFolder, "build.lock"), print, async () => {
        // Another process may have built it while we waited.
        if (!existsSync(folder)) await build(folder, print);
      });
    } catch (error) {
      if (!["EACCES", "EPERM", "EROFS"].some((code) => hasErrorCode(error, code))) throw error;
      throw new SetupError(
        `This checkout has not been built, and you do not have permission to write to ${buildsFolder}. ` +
          `Run "npm run build" in ${root} as the owner of that folder, or copy ${folder} from another machine.`,
      );
    }
  }
  holdBuild(folder);
  return {
    build: hash,
    clientFolder: join(folder, "client"),
    serverEntry: join(folder, "server/index.js"),
  };
}

async function build(folder: string, print: (line: string) => void): Promise<void> {
  print("Building the site. This takes a few seconds, once after each change …");
  const unfinished = join(buildsFolder, "unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await run("react-router", ["build"], { BUILD_DIR: unfinished });
  const workerConfig = ["build", "--config", "offline-worker.config.ts"];
  await run("vite", workerConfig, { BUILD_DIR: unfinished });
  await removeFileRoutes(join(unfinished, "client/assets"));
  await compressFiles(join(unfinished, "client"));
  await buildEmptyDatabase(buildsFolder);
  await writeFile(join(unfinished, lockName), "");
  // The folder gets its name only when it is complete, so that an interrupted build is never used.
  await rename(unfinished, folder);
  await removeOldBuilds(buildsFolder);
}

/**
 * Every start, and every command that finds no running server, waits for this. So the files are
 * read synchronously: a promise for each file would take four times the processor time.
 */
function hashSources(): string {
  const folders = ["app", "server", "db"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  const files = [...folders, ...readdirSync(root, { withFileTypes: true })]
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isSource);
  const hash = createHash("sha256").update(process.version);
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 16);
}

/**
 * Removes the routes of feeds, images and other files from the table that every reader loads. The
 * browser loads such a path as a document, so its router need not know it.
 */
async function removeFileRoutes(assets: string): Promise<void> {
  for await (const file of glob("manifest-*.js", { cwd: assets })) {
    const path = join(assets, file);
    const [, start = "", json = "{}"] =
      /^(window\.__reactRouterManifest=)(.*);$/s.exec(await readFile(path, "utf8")) ?? [];
    if (start === "") continue;
    const manifest: { routes: Record<string, { hasDefaultExport: boolean }> } = JSON.parse(json);
    const pages = Object.entries(manifest.routes).filter(([, route]) => route.hasDefaultExport);
    const slim = { ...manifest, routes: Object.fromEntries(pages) };
    await writeFile(path, `${start}${JSON.stringify(slim)};`);
  }
}

/**
 * Writes a Brotli and a gzip version next to each file, at a compression level too slow for
 * requests.
 */
async function compressFiles(folder: string): Promise<void> {
  const brotli = promisify(brotliCompress);
  const zip = promisify(gzip);
  for await (const file of glob("**/*", { cwd: folder })) {
    if (!isCompressible(extname(file))) continue;
    const path = join(folder, file);
    const content = await readFile(path);
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    await writeFile(`${path}.br`, await brotli(content, options));
    await writeFile(`${path}.gz`, await zip(content, { level: 9 }));
  }
}

export async function removeOldBuilds(builds: string): Promise<void> {
  const folders = (await readdir(builds, { withFileTypes: true })).filter(
    // This pattern excludes the empty database, which all builds share.
    (entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name),
  );
  const datedBuilds = await Promise.all(
    folders.map(async ({ name }) => ({
      name,
      builtAt: (await stat(join(builds, name))).mtimeMs,
    })),
  );
  datedBuilds.sort((one, other) => other.builtAt - one.builtAt);
  for (const { name } of datedBuilds.slice(buildsToKeep)) {
    const lock = await tryLock(join(builds, name, lockName));
    if (!lock) continue;
    await rm(join(builds, name), { recursive: true, force: true });
    lock.release();
  }
}

/** Marks a build as used until this process ends, so that newer builds do not remove it. */
export function holdBuild(folder: string): void {
  try {
    holdShared(join(folder, lockName));
  } catch {
    // The file system has no locks. The build is still usable, but newer builds may remove it.
  }
}

async function run(command: string, args: string[], env: Record<string, string>): Promise<void> {
  const program = join(root, "node_modules/.bin", command);
  const options = {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...env },
    maxBuffer: Number.POSITIVE_INFINITY,
  };
  await promisify(execFile)(process.execPath, [program, ...args], options).catch(
    ({ stdout, stderr, message }) => {
      throw new SetupError(`The build failed:\n${stdout ?? ""}${stderr ?? message}`);
    },
  );
}

if (import.meta.main) await buildIfNeeded(console.log).catch(failToStart);
