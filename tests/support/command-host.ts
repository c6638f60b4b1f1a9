import { createLog } from "../../app/lib/log.ts";
import type { Caller } from "../../app/platform/command.ts";
import type { CommandHost } from "../../server/newsroom/commands.ts";
import { readConfig } from "../../server/site/config.ts";
import { runInThisThread } from "./worker-pool.ts";

const rejectUse = () => Promise.reject(new Error("not needed here"));

/** A caller and a host for a command that needs nothing from a running site. */
export const bareHost: Caller & CommandHost = {
  print() {},
  result() {},
  progress() {},
  cwd: ".",
  columns: null,
  isOffline: false,
  confirm: null,
  config: readConfig({}),
  isServing: false,
  siteFolder: "",
  siteFiles: [],
  database: rejectUse,
  withoutWriters: rejectUse,
  takeSnapshot: rejectUse,
  clock: () => new Date(),
  log: createLog({ write: () => true }),
  fetch: rejectUse,
  runInWorker: runInThisThread,
  services: rejectUse,
};
