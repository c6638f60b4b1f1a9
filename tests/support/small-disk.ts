import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type SmallDisk = {
  path: string;
  /**
   * Fills the disk until this many bytes are free. If the number is larger than the disk, the disk
   * is emptied.
   */
  leaveFree(bytes: number): void;
  unmount(): void;
};

/** The reason why tests that need a full disk cannot run here, or false if they can. */
export const mountProblem: string | false = (() => {
  try {
    mountDisk(1024 * 1024).unmount();
    return false;
  } catch {
    return "a separate file system (tmpfs) cannot be mounted here: that requires root on Linux";
  }
})();

/**
 * Mounts a file system in memory, so that a test can fill a disk without filling the machine's own
 * disk.
 */
export function mountDisk(bytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "harborline-disk-"));
  try {
    const options = `size=${bytes},mode=700`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  const fillerFile = join(path, "ballast");
  const countFreeBytes = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    leaveFree(bytesToLeave) {
      rmSync(fillerFile, { force: true });
      const fillerBytes = countFreeBytes() - bytesToLeave;
      if (fillerBytes > 0) writeFileSync(fillerFile, Buffer.alloc(fillerBytes));
    },
    unmount() {
      // The unmount is lazy, because a process that was killed may not have ended yet.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
