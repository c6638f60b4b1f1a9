import { dirname } from "node:path";

/** Why a file or folder cannot be used, by the error code of the operating system. */
const reasons: Record<string, string> = {
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "it already exists. Choose another name",
  ENOTEMPTY: "the folder is not empty",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than its file system allows",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its symbolic links form a loop",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program is using it",
  EIO: "the disk reports errors",
};

type Attempt = {
  path: string;
  action: "read" | "write";
  /**
   * True inside a running server, where the permissions of the server apply, not those of the
   * person who typed the command.
   */
  isServing: boolean;
};

/**
 * Returns a sentence about an operating system error for a file that a person named. Any other
 * error is thrown again.
 */
export function fileErrorMessage(error: unknown, { path, action, isServing }: Attempt): string {
  return `Could not ${action} ${path}: ${fileErrorReason(error, { path, action, isServing })}.`;
}

/** Returns only the reason, without the beginning and the period of the sentence. */
export function fileErrorReason(error: unknown, { path, action, isServing }: Attempt): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return action === "read"
      ? "the file does not exist"
      : `the folder ${dirname(path)} does not exist`;
  if (code === "EACCES" || code === "EPERM")
    return `${isServing ? "the user that the server runs as" : "this user"} has no permission to ${action === "read" ? "read it" : "write there"}`;
  const known = reasons[code];
  if (known !== undefined) return known;
  if (/^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR_"))
    return `the operating system reports ${code}`;
  throw error;
}
