import { getSystemErrorMap } from "node:util";
import { errorCode } from "./error-code.ts";

/** In our words, because the system's own are for programmers: "illegal operation on a directory". */
const messages = new Map([
  ...getSystemErrorMap().values(),
  ["EISDIR", "it is a folder"],
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of its path is a file, not a folder"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
]);

/**
 * What is wrong according to the operating system, such as "the disk is full". Undefined for an error
 * of another origin.
 */
export const findSystemMessage = (error: unknown): string | undefined =>
  messages.get(errorCode(error) ?? "");
