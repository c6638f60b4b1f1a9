import { SetupError } from "./config.ts";

/** What is wrong with a folder, by the error code of the operating system. */
const folderFaults: Record<string, string> = {
  EACCES: "this user may not write to it. Give it to the user of the server: chown -R <user>",
  EPERM: "this user may not write to it. Give it to the user of the server: chown -R <user>",
  EROFS: "its file system is read-only. Mount it writable; after a disk error, check the disk first (dmesg)",
  ENOSPC: "its disk is full. Make space: delete old backups and logs",
  EDQUOT: "its disk quota is used up. Make space: delete old backups and logs",
  ENOTDIR: "a part of this path is a file, not a folder. Set DATA_DIR to another path",
  EEXIST: "there is a file of this name. Set DATA_DIR to another path",
  ENOENT: "it cannot be created there. Set DATA_DIR to another path",
  EIO: "its disk reports errors. Check the disk (dmesg), then restore the last backup to a good one",
};

/** A sentence for an operating system's error about the data folder; null for any other error. */
export function folderFault(dataDir: string, error: unknown): SetupError | null {
  const code = codeOf(error);
  const fault = code === undefined ? undefined : folderFaults[code];
  return fault === undefined
    ? null
    : new SetupError(`The data folder ${dataDir} cannot be used: ${fault}.`, { cause: error });
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
