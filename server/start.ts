// Starts the server with the options that suit the memory of the machine: `npm start`. The server
// replaces this process, so that signals and systemd reach it.
import { fileURLToPath } from "node:url";
import { failToStart, SetupError } from "./process/setup-error.ts";
import { chooseStartSettings, readMemoryBytes } from "./process/start-settings.ts";

const { flags, env } = chooseStartSettings(readMemoryBytes());
const server = fileURLToPath(new URL("main.ts", import.meta.url));
const args = [process.execPath, ...process.execArgv, ...flags, server];
if (!process.execve)
  failToStart(new SetupError("npm start does not work on this system. Run: node server/main.ts"));
process.execve(process.execPath, args, { ...process.env, ...env });
