import { rmSync } from "node:fs";
import { errorCode } from "../../../app/lib/error-code.ts";
import { errorMessage } from "../../../app/lib/log.ts";
import { openSnapshot } from "../../../db/client.ts";
import { lowerPriority } from "../../../db/pglite/low-priority.ts";
import { type Manifest, toUnfinishedName, writeBackup } from "./backup.ts";
import type { BackupJob, BackupReport } from "./backup-process.ts";

// The program that writes a backup. backup-process.ts starts it in a child process.

/**
 * Sends a message to the parent process. Resolves when the message has been sent, so that it
 * arrives even if this process exits right away.
 */
const report = (what: BackupReport) =>
  new Promise<void>((resolve) => {
    process.send?.(what, undefined, undefined, () => resolve());
  });

async function write({ file, source, ...site }: BackupJob): Promise<Manifest> {
  const { db, close } = await openSnapshot(source, (error) => console.error(error.message));
  try {
    return await writeBackup(file, { db, ...site }, (done, all, what) =>
      report({ kind: "progress", step: { done, all, what } }),
    );
  } finally {
    await close();
  }
}

lowerPriority();
process.once("message", async (job: BackupJob) => {
  // When the server stops, its backup stops too. systemd and Ctrl-C also send their signal to this
  // process.
  for (const end of ["disconnect", "SIGTERM", "SIGINT"])
    process.once(end, () => {
      rmSync(toUnfinishedName(job.file), { force: true });
      process.exit(1);
    });
  try {
    await report({ kind: "done", manifest: await write(job) });
  } catch (error) {
    await report({ kind: "failed", message: errorMessage(error), code: errorCode(error) });
  }
  process.exit();
});
