import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type SmallDisk = {
  path: string;
  /**
   * Fills the disk until this many bytes are free. A number larger than the disk empties it.
   */
  leaveFree(bytes: number): void;
  unmount(): void;
};

/** Why tests that need a full disk cannot run here; false if they can. */
export const cannotMount: string | false = (() => {
  try {
    mountDisk(1024 * 1024).unmount();
    return false;
  } catch {
    return "a separate file system (tmpfs) cannot be mounted here: that requires root on Linux";
  }
})();

/** Mounts a file system in memory, so that a test can fill a disk without filling the machine's. */
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
    leaveFree(bytesToLeave) {
      rmSync(ballast, { force: true });
      const surplus = free() - bytesToLeave;
      if (surplus > 0) writeFileSync(ballast, Buffer.alloc(surplus));
    },
    unmount() {
      // Lazy, because a process that was killed may not have ended yet.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
