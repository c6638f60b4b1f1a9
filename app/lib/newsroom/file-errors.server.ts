import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../error-code.ts";
import { findSystemMessage } from "../system-error.server.ts";
import { fail } from "./command-error.ts";

/** What a command's context says about the files of the person who typed it. */
type CallerFiles = {
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
  caller: Pick<CallerFiles, "isServing">,
  { path, action }: { path: string; action: "read" | "write" },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    fail(`✗ Could not ${action} ${path}: ${fileErrorReason(error, caller)}.`);
  }
}

/** Reads a text file that a person named. Another encoding than UTF-8 ends the command. */
export async function readTextFile(caller: CallerFiles, name: string): Promise<string> {
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

/**
 * Writes a file under a hidden name and then renames it, so that nobody reads half a file.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.new`);
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Returns why a file could not be used. An error that has other reasons is thrown again. */
export function fileErrorReason(
  error: unknown,
  { isServing }: Pick<CallerFiles, "isServing">,
): string {
  const message = findSystemMessage(error);
  if (message === undefined) throw error;
  return ["EACCES", "EPERM"].includes(errorCode(error) ?? "")
    ? `${isServing ? "the user that the server runs as" : "this user"} has no permission`
    : message;
}
