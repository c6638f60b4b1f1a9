import type { CommandHost } from "../../server/newsroom/context.ts";
import { readConfig } from "../../server/site/config.ts";
import { runInThisThread } from "./worker-pool.ts";

const notNeeded = () => Promise.reject(new Error("not needed here"));

/** The host for a command that needs nothing of a running site. */
export const bareHost: CommandHost = {
  print() {},
  progress() {},
  cwd: ".",
  columns: null,
  confirm: null,
  config: readConfig({}),
  isServing: false,
  siteFolder: "",
  siteFiles: [],
  database: notNeeded,
  withoutWriters: notNeeded,
  takeSnapshot: notNeeded,
  clock: () => new Date(),
  fetch: notNeeded,
  runInWorker: runInThisThread,
  services: notNeeded,
};
