import { statfs } from "node:fs/promises";

const megabyte = 1024 * 1024;

/**
 * With less free space than this, the built-in database refuses all writes. Its write-ahead log
 * grows by 16 MB at a time, and without space for that, a statement in PGlite never returns.
 */
export const minFreeBytes = 64 * megabyte;
/**
 * After writes were refused, this much space is required to accept them again. It is a little more,
 * so that the database does not switch back and forth.
 */
const resumeBytes = 80 * megabyte;
/**
 * Opening a database that was not closed properly needs a new file of 16 MB for the write-ahead log
 * and a few small files.
 */
export const minBytesToOpen = 20 * megabyte;
/** A new database takes 40 MB, and at least 40 MB more while it and its tables are created. */
export const minBytesToCreate = 160 * megabyte;

/**
 * Nothing was stored because the disk has too little space. The error code is the one that Postgres
 * uses for a full disk.
 */
export class DiskFullError extends Error {
  override name = "DiskFull";
  code = "53100";
}

/** Finds a DiskFullError among the causes of an error, because the query builder wraps errors. */
export function findDiskFull(error: unknown): Error | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    // Compares the name, because the build contains a second copy of the class.
    if (cause.name === "DiskFull") return cause;
  return null;
}

export function watchDiskSpace(dataDir: string) {
  let free = Number.POSITIVE_INFINITY;
  let isLow = false;

  const check = async () => {
    // If the free space is unknown, nothing is refused.
    free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY);
    isLow = free < (isLow ? resumeBytes : minFreeBytes);
  };
  const toError = (cause?: unknown, neededBytes = resumeBytes) =>
    new DiskFullError(
      `The disk that holds ${dataDir} is full: only ${Math.floor(free / megabyte)} MB are free. Nothing can be stored until ${neededBytes / megabyte} MB are free.`,
      { cause },
    );
  return {
    /** Whether there was too little space at the last check. */
    isLow: () => isLow,
    check,
    toError,
    /** Throws if fewer than `bytes` are free. */
    async requireSpace(bytes: number): Promise<void> {
      await check();
      if (free < bytes) throw toError(undefined, Math.max(bytes, resumeBytes));
    },
  };
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
