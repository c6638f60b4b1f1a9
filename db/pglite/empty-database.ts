import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

// All paths are from the folder the server is started in: once bundled, this file is elsewhere.
const program = join("db", "create-database.ts");
const packageFile = join("node_modules", "@electric-sql", "pglite", "package.json");

/**
 * Creating a database takes 500 MB for a few seconds, more than a small machine has beside the
 * server. So the build does it, once for each version of PGlite, and a first start only copies the
 * files.
 */
export async function buildEmptyDatabase(builds: string): Promise<void> {
  const folder = await findTemplateFolder(builds);
  // Open to the user of the server, who may be another one. There is nothing in it.
  if (await isComplete(folder)) return;
  await create(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/**
 * Puts an empty database into a folder that is empty itself: from the build, or created now if the
 * build has none.
 */
export async function createDatabase(folder: string, builds = "build"): Promise<void> {
  const template = await findTemplateFolder(builds);
  if (!(await isComplete(template))) return create(folder, 0o700);
  await createAtomically(folder, 0o700, (unfinished) =>
    cp(template, unfinished, { recursive: true }),
  );
}

/** In a process of its own, since much of that memory would stay with this one. */
const create = (folder: string, mode: number) =>
  createAtomically(folder, mode, async (unfinished) => {
    const flags = ["--liftoff-only", "--max-semi-space-size=4", "--heap-growing-percent=30"];
    const env = { ...process.env, MALLOC_ARENA_MAX: "2" };
    await promisify(execFile)(process.execPath, [...flags, program, unfinished], { env });
  });

/** The folder gets its name when it is complete: one that was interrupted is never used. */
async function createAtomically(
  folder: string,
  mode: number,
  fill: (unfinished: string) => Promise<unknown>,
): Promise<void> {
  const name = `${basename(folder)}-new`;
  const left = (await readdir(dirname(folder))).filter(
    (each) => each === name || each.startsWith(`${name}-`),
  );
  for (const each of left) await rm(join(dirname(folder), each), { recursive: true, force: true });
  // A name of its own: the process that was to create the last one may still be running when its
  // parent was killed.
  const unfinished = await mkdtemp(join(dirname(folder), `${name}-`));
  await fill(unfinished);
  await chmod(unfinished, mode);
  await rename(unfinished, folder);
}

async function findTemplateFolder(builds: string): Promise<string> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(packageFile, "utf8")));
  return join(builds, `empty-database-${version}`);
}

const isComplete = (folder: string) =>
  readFile(join(folder, "PG_VERSION")).then(
    () => true,
    () => false,
  );
