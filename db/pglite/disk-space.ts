import { randomBytes } from "node:crypto";
import { open, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

const megabyte = 1024 * 1024;

/**
 * With less free space than this, the built-in database stores nothing. Its log grows by 16 MB at a
 * time, and PGlite never returns from a statement that finds no room for them.
 */
export const minFreeBytes = 64 * megabyte;
/**
 * Once writes were refused, there has to be a little more before they are accepted, so that it does
 * not flicker.
 */
const resumeBytes = 80 * megabyte;
/**
 * Opening a database that was not closed takes one new file of its log, 16 MB, and a few small
 * files.
 */
export const openingBytes = 20 * megabyte;
/** A first database has 40 MB, and as much again while it is created and its tables are. */
export const creatingBytes = 160 * megabyte;

/** Set aside so that the database can be opened again on a disk that something else has filled. */
const reserveBytes = 24 * megabyte;
/** The reserve is only created where it leaves plenty. */
const createReserveAboveBytes = reserveBytes + 2 * minFreeBytes;

/**
 * Nothing was stored, because the disk has too little room. The code is the one that Postgres has
 * for it.
 */
export class DiskFullError extends Error {
  override name = "DiskFull";
  code = "53100";
}

/**
 * The error among this error's causes that says that the disk is full; the query builder puts its
 * own around ours.
 */
export function findDiskFull(error: unknown): Error | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    // By its name, since the build has a copy of the class of its own.
    if (cause.name === "DiskFull") return cause;
  return null;
}

type DiskSpace = {
  /** Whether there was too little space at the last look. */
  isLow(): boolean;
  check(): Promise<void>;
  toError(cause?: unknown): DiskFullError;
  /**
   * Gives up the reserve if that many bytes are not free, and throws if they are not free then
   * either.
   */
  makeRoom(bytes: number): Promise<void>;
  /** Sets the reserve aside, unless it is there or the disk has little room. */
  ensureReserve(): Promise<void>;
};

/** The free space on the disk of the data folder, for the database in it. */
export function watchDiskSpace(dataDir: string): DiskSpace {
  const reserve = join(dataDir, "disk-reserve");
  let free = Number.POSITIVE_INFINITY;
  let isLow = false;
  let hasReserve = false;

  const check = async () => {
    // A disk that cannot be asked is no reason to refuse anything.
    free = await freeBytes(dataDir).catch(() => Number.POSITIVE_INFINITY);
    isLow = free < (isLow ? resumeBytes : minFreeBytes);
  };
  const toError = (cause?: unknown) =>
    new DiskFullError(
      `The disk of ${dataDir} is full: ${Math.floor(free / megabyte)} MB are free. Nothing is stored until ${resumeBytes / megabyte} MB are.`,
      { cause },
    );
  return {
    isLow: () => isLow,
    check: check,
    toError: toError,
    async makeRoom(bytes) {
      await check();
      if (free >= bytes) return;
      await rm(reserve, { force: true });
      hasReserve = false;
      await check();
      if (free < bytes) throw toError();
    },
    async ensureReserve() {
      if (hasReserve || free < createReserveAboveBytes) return;
      hasReserve = await writeReserve(reserve);
    },
  };
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Random bytes, since a file system that compresses would give zeros no room at all. Says whether
 * it could be written.
 */
async function writeReserve(file: string): Promise<boolean> {
  const unfinished = `${file}-new`;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      const chunk = randomBytes(megabyte);
      for (let written = 0; written < reserveBytes; written += chunk.length)
        await handle.write(chunk);
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
    return true;
  } catch {
    await rm(unfinished, { force: true }).catch(() => {});
    return false;
  }
}
