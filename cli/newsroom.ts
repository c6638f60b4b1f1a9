import type { Services } from "../app/context.ts";
import { createLog, faultText } from "../app/lib/log.ts";
import { createSafeFetch } from "../app/lib/safe-fetch.server.ts";
import type { OpenDatabase } from "../db/client.ts";
import type { App } from "../server/boot.ts";
import { buildIfNeeded } from "../server/build.ts";
import { claimDataFolder, sendCommand } from "../server/channel.ts";
import { failToStart, readSettings } from "../server/config.ts";
import { runCommand } from "../server/newsroom/commands.ts";
import { openOutsideWork } from "../server/outside-work.ts";
import { readSite } from "../server/site-files.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Whatever stands in a command's way: who asked for JSON gets JSON. */
async function main(argv: string[]): Promise<number> {
  const isForPrograms = argv.includes("--json");
  const terminal = openTerminal(isForPrograms);
  if (!isForPrograms) return run(argv, terminal);
  const lines: string[] = [];
  const exit = await run(argv, { ...terminal, print: (line) => lines.push(line) });
  const said = lines.join("\n");
  terminal.print(/^[[{]/.test(said) ? said : JSON.stringify({ exit, lines }, null, 2));
  return exit;
}

/** Runs a command inside the running server, or, when there is none, here. */
async function run(argv: string[], terminal: Terminal): Promise<number> {
  const config = readSettings();
  const claim = await claimDataFolder(config.dataDir);
  if (claim.kind === "taken") {
    return sendCommand(claim.socket, argv, terminal.print, terminal).finally(terminal.clear);
  }

  claim.channel.answerWith(async (_argv, { print }) => {
    print("Another command is at work on this data folder. Try again when it is done.");
    return 1;
  });
  const { serverEntry } = await buildIfNeeded(console.error);
  const { commands, siteFiles, openDatabase, openMail }: App = await import(serverEntry);
  let opened: Promise<OpenDatabase> | undefined;
  const open = () => {
    opened ??= openDatabase({ ...config, onError: (error) => terminal.warn(faultText(error)) });
    return opened;
  };
  const fetch = createSafeFetch(config.fetchAllow, config.offline);
  const outside = openOutsideWork();
  let closeMail = async () => {};
  const services = async (): Promise<Services> => {
    const [site, { db, kind }] = [await readSite(config.siteFolder, siteFiles), await open()];
    const { blogBackend } = config;
    const base = { site, db, clock: () => new Date(), log: createLog(process.stderr), fetch, blogBackend };
    const mail = await openMail(config, base, kind === "pglite");
    closeMail = mail.close;
    return { ...base, mail };
  };
  try {
    return await runCommand(commands, argv, {
      ...terminal,
      config,
      siteFolder: config.siteFolder,
      siteFiles,
      database: async () => (await open()).db,
      openLong: async () => (await open()).openLong(),
      takeSnapshot: async () => (await open()).takeSnapshot(),
      fetch,
      outside: outside.readers,
      services,
      isServing: false,
    });
  } finally {
    terminal.clear();
    await outside.close();
    await closeMail();
    // One that could not be opened has nothing to close, and its fault has been told.
    await (await opened?.catch(() => undefined))?.close();
    await claim.channel.release();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch(failToStart);
