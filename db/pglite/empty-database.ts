import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { smallMemory } from "./small-memory.ts";

// Relative to the folder in which the server is started, not to this file, because the build moves
// this code into a bundle.
const program = join("db", "create-database.ts");
const packageFile = join("node_modules", "@electric-sql", "pglite", "package.json");

/**
 * Creates the empty database that a server copies at its first start. Creating it takes 500 MB of
 * memory for a few seconds, more than a small machine has in addition to the server. So the build
 * does it, once for each version of PGlite.
 */
export async function buildEmptyDatabase(builds: string): Promise<void> {
  const folder = await findTemplateFolder(builds);
  if (await isComplete(folder)) return;
  // All users can read the empty database, because the server may run as another user.
  await createInChildProcess(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/** Copies the empty database of the build. Without it, creates a new one. */
export async function createDatabase(folder: string, builds = "build"): Promise<void> {
  const template = await findTemplateFolder(builds);
  if (!(await isComplete(template))) return createInChildProcess(folder, 0o700);
  await createAtomically(folder, 0o700, (unfinished) =>
    cp(template, unfinished, { recursive: true }),
  );
}

/**
 * Uses a child process, because this process would not return all of the memory that the creation
 * takes.
 */
const createInChildProcess = (folder: string, mode: number) =>
  createAtomically(folder, mode, async (unfinished) => {
    const args = [...smallMemory.flags, program, unfinished];
    const env = { ...process.env, ...smallMemory.env };
    await promisify(execFile)(process.execPath, args, { env });
  });

/**
 * The folder gets its final name only when it is complete, so that one whose creation was
 * interrupted is never used.
 */
async function createAtomically(
  folder: string,
  mode: number,
  fill: (unfinished: string) => Promise<unknown>,
): Promise<void> {
  const name = `${basename(folder)}-new`;
  const leftovers = (await readdir(dirname(folder))).filter((each) => each.startsWith(`${name}-`));
  for (const each of leftovers)
    await rm(join(dirname(folder), each), { recursive: true, force: true });
  // A unique name, because an earlier child process may still be running if its parent was killed.
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
