import { dirname } from "node:path";

/**
 * What is wrong with a file or folder that a person named, by the error code of the operating
 * system.
 */
const reasons: Record<string, string> = {
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "it is already there. Name another one",
  ENOTEMPTY: "the folder is not empty",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be larger than its file system allows",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program uses it",
  EIO: "the disk reports errors",
};

type Attempt = {
  path: string;
  done: "read" | "written";
  /**
   * Inside a server the rights are those of the server, not those of the person who typed the
   * command.
   */
  isServing: boolean;
};

/**
 * A sentence for an error of the operating system about a file that a person named. Any other error
 * is thrown again.
 */
export function fileErrorMessage(error: unknown, { path, done, isServing }: Attempt): string {
  return `${path} cannot be ${done}: ${fileErrorReason(error, { path, done, isServing })}.`;
}

/** The same without the beginning of the sentence and its full stop. */
export function fileErrorReason(error: unknown, { path, done, isServing }: Attempt): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT")
    return done === "read" ? "there is no such file" : `there is no folder ${dirname(path)}`;
  if (code === "EACCES" || code === "EPERM")
    return `${isServing ? "the user that the server runs as" : "this user"} may not ${done === "read" ? "read it" : "write there"}`;
  const known = reasons[code];
  if (known !== undefined) return known;
  if (/^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR_"))
    return `the operating system reports ${code}`;
  throw error;
}
