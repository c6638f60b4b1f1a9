import { readdirSync, readFileSync } from "node:fs";

/** File descriptors for files, workers and database tables that are opened later. */
const reservedDescriptors = 150;

/**
 * Returns how many connections the server may accept, so that it can still open files. Without a
 * free descriptor it could read neither stories nor the database.
 */
export function findMaxConnections({ limits, openFiles } = readDescriptors()): number {
  const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  return Math.max(max - openFiles - reservedDescriptors, Math.floor(max / 4));
}

/** What this process may open and has open, which only Linux tells. */
function readDescriptors(): { limits: string; openFiles: number } {
  try {
    return {
      limits: readFileSync("/proc/self/limits", "utf8"),
      openFiles: readdirSync("/proc/self/fd").length,
    };
  } catch {
    return { limits: "", openFiles: 0 };
  }
}
