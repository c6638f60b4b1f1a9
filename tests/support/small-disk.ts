import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type SmallDisk = {
  path: string;
  /**
   * Fills the disk until that many bytes are free; more than there are without the ballast frees
   * them all.
   */
  leaveFree(bytes: number): void;
  unmount(): void;
};

/** Why a test that needs a full disk cannot run here; false where it can. */
export const cannotMount: string | false = (() => {
  try {
    mountDisk(1024 * 1024).unmount();
    return false;
  } catch {
    return "a file system of its own (tmpfs) cannot be mounted here: it takes root on Linux";
  }
})();

/** A file system in memory, so that a test can fill a disk without filling the machine's. */
export function mountDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "harborline-disk-"));
  try {
    const options = `size=${bytes},mode=700`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  const ballast = join(path, "ballast");
  const free = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    leaveFree(wanted) {
      rmSync(ballast, { force: true });
      const tooMuch = free() - wanted;
      if (tooMuch > 0) writeFileSync(ballast, Buffer.alloc(tooMuch));
    },
    unmount() {
      // Lazily: a process that was killed may still be on its way out.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
