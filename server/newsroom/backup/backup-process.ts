import { fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { ProgressStep } from "../../../app/platform/command.ts";
import type { SnapshotSource } from "../../../db/database.ts";
import type { Manifest } from "./backup.ts";

/**
 * Relative to the folder in which the server is started, not to this file, because the build moves
 * this code into a bundle.
 */
const program = join("server", "newsroom", "backup", "backup-program.ts");

export type BackupJob = {
  file: string;
  source: SnapshotSource;
  siteFolder: string;
  city: string;
  now: Date;
};
export type BackupReport =
  | { kind: "progress"; step: ProgressStep }
  | { kind: "done"; manifest: Manifest }
  | { kind: "failed"; message: string; code: string | undefined };

/**
 * Writes a backup in a child process at low priority, because reading and compressing all rows
 * takes a processor core and a few hundred MB of memory, which the server needs for its readers.
 */
export async function writeInChildProcess(
  job: BackupJob,
  onProgress: (step: ProgressStep) => void,
): Promise<Manifest> {
  const child = fork(resolve(program), {
    // Without V8's optimizing WebAssembly compiler, PGlite takes less memory.
    execArgv: ["--liftoff-only"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  let lastReport: BackupReport | undefined;
  child.on("message", (report: BackupReport) => {
    if (report.kind === "progress") onProgress(report.step);
    else lastReport = report;
  });
  child.send(job);
  const [code] = await ended;
  if (lastReport?.kind === "done") return lastReport.manifest;
  const error =
    lastReport?.kind === "failed"
      ? lastReport
      : { message: `its process exited with code ${code}`, code: undefined };
  throw Object.assign(new Error(`The backup was not written: ${error.message}`), {
    code: error.code,
  });
}
