import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fail } from "./command-error.ts";

/** Why a file or folder cannot be used, by the error code of the operating system. */
const reasons: Record<string, string> = {
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "it already exists. Choose another name",
  ENOTEMPTY: "the folder is not empty",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the name is too long",
  EIO: "the disk reports errors",
};

type Attempt = { path: string; action: "read" | "write" };

type Caller = {
  /** The folder in which the command was typed. File names are relative to it. */
  cwd: string;
  /** True inside a running server, where the permissions of the server apply, not the person's. */
  isServing: boolean;
};

/**
 * Does something with a file that a person named. An error of the operating system ends the command
 * with a sentence about it.
 */
export async function tryFile<T>(
  caller: Pick<Caller, "isServing">,
  { path, action }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = fileErrorReason(error, { path, action }, caller);
    fail(`✗ Could not ${action} ${path}: ${reason}.`);
  }
}

/** Reads a text file that a person named. Another encoding than UTF-8 ends the command. */
export async function readTextFile(caller: Caller, name: string): Promise<string> {
  const path = resolve(caller.cwd, name);
  const bytes = await tryFile(caller, { path, action: "read" }, () => readFile(path));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    fail(
      `✗ Could not read ${path}: it is not UTF-8. Save it again with UTF-8 encoding (in a spreadsheet: "CSV UTF-8").`,
    );
  }
}

/** Returns why a file could not be used. An error that has other reasons is thrown again. */
export function fileErrorReason(
  error: unknown,
  { path, action }: Attempt,
  { isServing }: Pick<Caller, "isServing">,
): string {
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
