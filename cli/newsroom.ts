import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrorCode } from "../app/lib/error-code.ts";
import { createSafeFetch } from "../app/lib/external/safe-fetch.server.ts";
import { createLog, errorMessage } from "../app/lib/log.ts";
import type { Database, OpenDatabase } from "../db/database.ts";
import type * as app from "../server/app.ts";
import { extractCity, extractFlags, needsCity } from "../server/newsroom/command-line.ts";
import { runWithJson } from "../server/newsroom/print-json.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import {
  claimDataFolder,
  connectToHolder,
  type HeldFolder,
  sendCommand,
} from "../server/process/command-socket.ts";
import { failToStart, SetupError } from "../server/process/setup-error.ts";
import { type Config, loadConfig } from "../server/site/config.ts";
import { openWorkerPool } from "../server/workers/worker-pool.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const newDatabaseOption = "--new-database";

/**
 * How long closing may take before the process exits anyway. A database that was not closed
 * recovers when it is next opened, and an email that was being sent is then marked as unclear.
 */
const closeTimeoutMs = 3_000;

/** Runs a command inside the running server or, if no server is running, in this process. */
async function runInServerOrHere(rawArgs: string[], terminal: Terminal): Promise<number> {
  const { words, city } = extractCity(rawArgs);
  const { words: argv, isPresent: mayCreate } = extractFlags(words, [newDatabaseOption]);
  const isForCity = needsCity(argv);
  const config = loadConfig(city, isForCity);
  // If nobody reads the output anymore, as after `| head`, this process exits, and the server
  // finishes the command.
  const outputClosed = terminal.outputClosed.then(() => 0);
  // `doctor` must run even without the data folder, to say what is wrong. A command
  // that needs the folder fails when it claims it.
  const holder = isForCity ? await connectToHolder(config.dataDir).catch(() => null) : null;
  const interrupted = Promise.withResolvers<number>();
  for (const [signal, exit] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      if (holder)
        terminal.warn("Stopped watching. If the command has started, the server finishes it.");
      interrupted.resolve(exit);
    });
  if (holder)
    return Promise.race([
      sendCommand(holder, argv, terminal),
      interrupted.promise,
      outputClosed,
    ]).finally(terminal.clear);
  const local = await openLocally(config, terminal, mayCreate);
  try {
    const commandRun = local.run(argv);
    // An interrupted command fails when its database closes, and that error does not matter.
    commandRun.catch(() => {});
    return await Promise.race([commandRun, interrupted.promise, outputClosed]);
  } finally {
    terminal.clear();
    await Promise.race([local.close(), pause(closeTimeoutMs)]);
  }
}

/** Prepares what a command needs to run in this process. The database is opened on first use. */
async function openLocally(config: Config, terminal: Terminal, mayCreate: boolean) {
  const { serverEntry } = await buildIfNeeded(console.error);
  // The build is imported only here, because a command that runs inside a server does not need it.
  const {
    commands,
    siteFiles,
    openDatabase,
    openServices,
    createTextParser,
    readSite,
    routes,
    runCommand,
  }: typeof app = await import(serverEntry);
  let opened: Promise<{ database: OpenDatabase; heldFolder: HeldFolder }> | undefined;
  const openOnce = async () => {
    if (!mayCreate) await requireDatabase(config);
    const heldFolder = await claimForCommand(config.dataDir);
    try {
      const onError = (error: Error) => terminal.warn(errorMessage(error));
      return { heldFolder, database: await openDatabase({ ...config, onError }) };
    } catch (error) {
      await heldFolder.release();
      throw error;
    }
  };
  const getDatabase = async () => {
    opened ??= openOnce();
    return (await opened).database;
  };
  const clock = () => new Date();
  const fetch = createSafeFetch(config.fetchAllow, config.offline);
  const { run: runInWorker, close: closeWorkers } = openWorkerPool();
  const log = createLog(process.stderr);
  const tally = { count() {}, async flush() {} };
  let openedServices: ReturnType<typeof openServices> | undefined;
  const openOwnServices = async () => {
    const site = await readSite(config.siteFolder, siteFiles, createTextParser(runInWorker));
    const parts = { site, clock, log, fetch, tally, runInWorker };
    return openServices(config, await getDatabase(), routes, parts);
  };
  const services = () => {
    openedServices ??= openOwnServices();
    return openedServices;
  };
  const host = {
    config,
    siteFolder: config.siteFolder,
    siteFiles,
    database: async () => (await getDatabase()).db,
    withoutWriters: async <T>(work: (db: Database) => Promise<T>) =>
      (await getDatabase()).withoutWriters(work),
    takeSnapshot: async () => (await getDatabase()).takeSnapshot(),
    clock,
    log,
    fetch,
    runInWorker,
    services,
    isServing: false,
  };
  return {
    run: (argv: string[]) => runCommand(commands, argv, { ...terminal, ...host }),
    async close() {
      await closeWorkers();
      const { mail } = (await openedServices?.catch(() => undefined)) ?? {};
      await mail?.close();
      // A database that could not be opened need not be closed, and the command has reported why.
      const resources = await opened?.catch(() => undefined);
      await resources?.database.close();
      await resources?.heldFolder.release();
    },
  };
}

async function claimForCommand(dataDir: string): Promise<HeldFolder> {
  const claim = await claimDataFolder(dataDir);
  if (claim.kind === "in use") {
    claim.socket.destroy();
    throw new SetupError(`A server or another command has just started on ${dataDir}. Try again.`);
  }
  console.error(`No server is running on ${dataDir}. The command opens the data folder itself.`);
  claim.folder.runCommandsWith(async (_argv, { print }) => {
    print("Another command is using this data folder. Try again when it has finished.");
    return 1;
  });
  return claim.folder;
}

/**
 * Throws if there is no database. Otherwise a command whose DATA_DIR differs from the server's
 * would silently create and use a second, empty database.
 */
async function requireDatabase({ dataDir, databaseUrl }: Config): Promise<void> {
  if (databaseUrl !== undefined) return;
  const files = await readdir(join(dataDir, "database")).catch((error: unknown) => {
    if (!hasErrorCode(error, "EACCES")) return [];
    throw new SetupError(
      `You do not have permission to read the data folder ${dataDir}. Run the command as the server's user: sudo -u <user> ./newsroom …`,
    );
  });
  if (files.length > 0) return;
  throw new SetupError(
    `There is no database in the data folder ${dataDir}. If the server uses another folder, set DATA_DIR to that folder. To create a new, empty database, add ${newDatabaseOption}.`,
  );
}

const exit = await runWithJson(process.argv.slice(2), openTerminal(), runInServerOrHere).catch(
  failToStart,
);
// An explicit exit, because a database that does not close would keep the process running.
process.exit(exit);
