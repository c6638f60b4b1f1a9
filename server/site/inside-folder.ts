import { realpath } from "node:fs/promises";
import { sep } from "node:path";

/**
 * Whether an existing file is in the folder itself. A link to a file elsewhere is not, because it
 * could publish any file that the server can read.
 */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(file)]);
  return realFile.startsWith(realFolder + sep);
}

export const linkAdvice =
  "is a link to a file outside the city folder, so readers do not get it: copy the file itself";
