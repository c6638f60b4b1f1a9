import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const lookAgainMs = 100;

/** Does something that only one process may do at a time. The lock of a process that is gone is no lock. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await taken(file))) {
    const holder = Number(await readFile(file, "utf8").catch(() => ""));
    if (holder > 0 && !isRunning(holder)) await rm(file, { force: true });
    else await setTimeout(lookAgainMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not allowed to signal it, so it is there and somebody else's.
    return hasCode(error, "EPERM");
  }
}

export const hasCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;
