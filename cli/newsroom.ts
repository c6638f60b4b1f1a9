import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrorCode } from "../app/lib/error-code.ts";
import { createSafeFetch } from "../app/lib/external/safe-fetch.server.ts";
import { createLog, errorMessage } from "../app/lib/log.ts";
import type { Services } from "../app/platform/services.ts";
import type { Database, OpenDatabase } from "../db/database.ts";
import type * as app from "../server/app.ts";
import { extractFlags } from "../server/newsroom/command-line.ts";
import { buildIfNeeded } from "../server/process/build.ts";
import {
  type Channel,
  claimDataFolder,
  findHolder,
  sendCommand,
} from "../server/process/channel.ts";
import { failToStart, SetupError } from "../server/process/setup-error.ts";
import { type Config, loadSettings } from "../server/site/config.ts";
import { openWorkerPool } from "../server/workers/worker-pool.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A script that means to start with an empty database says so. */
const newDatabaseOption = "--new-database";

/** How long a command may go on when a server starts and needs the data folder. */
const giveWayDelayMs = 5_000;
/**
 * How long closing may take. What is not closed then is ended; the database recovers from that by
 * itself.
 */
const closeTimeoutMs = 3_000;

/** Whatever stands in a command's way: who asked for JSON gets JSON. */
async function main(argv: string[]): Promise<number> {
  const { isGiven: isForPrograms } = extractFlags(argv, ["--json"]);
  const terminal = openTerminal(isForPrograms);
  if (!isForPrograms) return run(argv, terminal);
  const lines: string[] = [];
  const exit = await run(argv, { ...terminal, print: (line) => lines.push(line) });
  const said = lines.join("\n");
  terminal.print(/^[[{]/.test(said) ? said : JSON.stringify({ exit, lines }, null, 2));
  return exit;
}

/** Runs a command inside the running server, or, when there is none, here. */
async function run(typed: string[], terminal: Terminal): Promise<number> {
  const config = loadSettings();
  const { words: argv, isGiven: mayCreate } = extractFlags(typed, [newDatabaseOption]);
  // Nobody reads on, as after `head`. The server finishes the command.
  const unread = terminal.closed.then(() => 0);
  // A folder that is in no state to be looked into is refused when a command needs it; doctor says
  // what is wrong.
  const holder = await findHolder(config.dataDir).catch(() => null);
  const interrupted = Promise.withResolvers<number>();
  for (const [signal, exit] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      if (holder)
        terminal.warn("You no longer see the command. The server finishes it if it has begun.");
      interrupted.resolve(exit);
    });
  if (holder)
    return Promise.race([
      sendCommand(holder, argv, terminal.print, terminal),
      interrupted.promise,
      unread,
    ]).finally(terminal.clear);
  const giveWay = async () => {
    await pause(giveWayDelayMs);
    terminal.print(
      `✗ The command was stopped, since a server is starting on ${config.dataDir}. Run it again: it will run inside the server.`,
    );
    interrupted.resolve(1);
  };
  const here = await openLocally(config, terminal, async () => {
    await requireDatabase(config, mayCreate, argv[0] !== "doctor");
    return claimForCommand(config.dataDir, giveWay);
  });
  try {
    const done = here.runCommand(here.commands, argv, here.setting);
    // A command that was interrupted fails as its database closes, and nobody waits for it.
    done.catch(() => {});
    return await Promise.race([done, interrupted.promise, unread]);
  } finally {
    terminal.clear();
    await Promise.race([here.close(), pause(closeTimeoutMs)]);
  }
}

/** All that a command needs, opened when it asks for it. */
async function openLocally(config: Config, terminal: Terminal, hold: () => Promise<Channel>) {
  const { serverEntry } = await buildIfNeeded(console.error);
  // From the build, not from its sources: a command that runs inside a server does not have to load
  // them.
  const { commands, siteFiles, openDatabase, openMail, readSite, runCommand }: typeof app =
    await import(serverEntry);
  let opened: Promise<{ database: OpenDatabase; channel: Channel }> | undefined;
  const openOnce = async () => {
    const channel = await hold();
    try {
      const onError = (error: Error) => terminal.warn(errorMessage(error));
      return { channel, database: await openDatabase({ ...config, onError }) };
    } catch (error) {
      await channel.release();
      throw error;
    }
  };
  const open = async () => {
    opened ??= openOnce();
    return (await opened).database;
  };
  const clock = () => new Date();
  const fetch = createSafeFetch(config.fetchAllow, config.offline);
  const workers = openWorkerPool();
  let closeMail = async () => {};
  const services = async (): Promise<Services> => {
    const [site, { db, kind }] = [await readSite(config.siteFolder, siteFiles), await open()];
    const { blogBackend } = config;
    const base = {
      site,
      db,
      clock,
      log: createLog(process.stderr),
      fetch,
      blogBackend,
      runInWorker: workers.run,
    };
    const mail = await openMail(config, base, kind === "pglite");
    closeMail = mail.close;
    return { ...base, mail };
  };
  return {
    commands,
    runCommand,
    setting: {
      ...terminal,
      config,
      siteFolder: config.siteFolder,
      siteFiles,
      database: async () => (await open()).db,
      withoutWriters: async <T>(work: (db: Database) => Promise<T>) =>
        (await open()).withoutWriters(work),
      takeSnapshot: async () => (await open()).takeSnapshot(),
      clock,
      fetch,
      runInWorker: workers.run,
      services,
      isServing: false,
    },
    async close() {
      await workers.close();
      await closeMail();
      // One that could not be opened has nothing to close, and the command has said why.
      const all = await opened?.catch(() => undefined);
      await all?.database.close();
      await all?.channel.release();
    },
  };
}

async function claimForCommand(dataDir: string, giveWay: () => void): Promise<Channel> {
  const claim = await claimDataFolder(dataDir, { giveWay });
  if (claim.kind === "taken") {
    claim.socket.destroy();
    throw new SetupError(`A server or a command has started on ${dataDir} meanwhile. Try again.`);
  }
  console.error(
    `No server is running on ${dataDir}, so the command itself works on this data folder.`,
  );
  claim.channel.runCommandsWith(async (_argv, { print }) => {
    print("Another command is at work on this data folder. Try again when it is done.");
    return 1;
  });
  return claim.channel;
}

/**
 * Without the server's DATA_DIR a command would work on a second, empty database, and nobody would
 * notice.
 */
async function requireDatabase(
  { dataDir, databaseUrl }: Config,
  mayCreate: boolean,
  mayAsk: boolean,
) {
  if (databaseUrl !== undefined || mayCreate) return;
  const files = await readdir(join(dataDir, "database")).catch((error: unknown) => {
    if (!hasErrorCode(error, "EACCES")) return [];
    throw new SetupError(
      `This user may not look into the data folder ${dataDir}. Run the command as the user of the server: sudo -u <user> ./newsroom …`,
    );
  });
  if (files.length > 0) return;
  const says = `There is no database in the data folder ${dataDir}. If the server uses another folder, set DATA_DIR as it is set there.`;
  if (mayAsk && process.stdin.isTTY && process.stderr.isTTY) {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    const question = asking.question(`${says}\nCreate a new, empty database in it? [y/N] `);
    // Ctrl-C and Ctrl-D close the question without an answer.
    const answer = await Promise.race([
      question.catch(() => ""),
      once(asking, "close").then(() => ""),
    ]);
    asking.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new SetupError("Nothing was created.");
  }
  throw new SetupError(`${says} To start with an empty database, add ${newDatabaseOption}.`);
}

const exit = await main(process.argv.slice(2)).catch(failToStart);
// Not left to Node: a database that does not close would keep the process.
process.exit(exit);
