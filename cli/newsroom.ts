import { createSafeFetch } from "../app/lib/safe-fetch.server.ts";
import type { OpenDatabase } from "../db/client.ts";
import type { App } from "../server/boot.ts";
import { buildIfNeeded } from "../server/build.ts";
import { claimDataFolder, sendCommand } from "../server/channel.ts";
import { runCommand } from "../server/commands.ts";
import { failToStart, readSettings } from "../server/config.ts";
import { openTerminal } from "./terminal.ts";

/** Runs a command inside the running server, or, when there is none, here. */
async function main(argv: string[]): Promise<number> {
  const config = readSettings();
  const terminal = openTerminal(argv.includes("--json"));
  const claim = await claimDataFolder(config.dataDir);
  if (claim.kind === "taken") {
    return sendCommand(claim.socket, argv, terminal.print, terminal).finally(terminal.clear);
  }

  claim.channel.answerWith(async (_argv, { print }) => {
    print("Another command is at work on this data folder. Try again when it is done.");
    return 1;
  });
  const { serverEntry } = await buildIfNeeded(console.error);
  const { commands, siteFiles }: App = await import(serverEntry);
  let opened: Promise<OpenDatabase> | undefined;
  const open = () => {
    // Loading a whole database takes longer than most commands, which do not need it.
    opened ??= import("../db/client.ts").then(({ openDatabase }) =>
      openDatabase({ ...config, onError: (error) => console.error(error.message) }),
    );
    return opened;
  };
  try {
    return await runCommand(commands, argv, {
      ...terminal,
      config,
      siteFolder: config.siteFolder,
      siteFiles,
      database: async () => (await open()).db,
      fetch: createSafeFetch(config.fetchAllow, config.offline),
      isServing: false,
    });
  } finally {
    terminal.clear();
    // One that could not be opened has nothing to close, and its fault has been told.
    await (await opened?.catch(() => undefined))?.close();
    await claim.channel.release();
  }
}

process.exitCode = await main(process.argv.slice(2)).catch(failToStart);
