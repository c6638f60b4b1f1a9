// Starts the server with the options that suit the memory of the machine: `npm start`. The server
// replaces this process, so that signals and systemd reach it.
import { fileURLToPath } from "node:url";
import { chooseStartSettings, readMemoryBytes } from "./process/start-settings.ts";

const { flags, env } = chooseStartSettings(readMemoryBytes());
const server = fileURLToPath(new URL("main.ts", import.meta.url));
const args = [process.execPath, ...process.execArgv, ...flags, server];
process.execve?.(process.execPath, args, { ...process.env, ...env });
