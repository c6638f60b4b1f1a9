import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { createLog } from "../log.ts";
import { openFileCache } from "./file-cache.server.ts";

const log = createLog({ write() {} });
const long = Buffer.alloc(600, "x");
const key = (item: string, version = "v1") => ({ item, version, name: "480.avif" });

async function openFolder() {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const folder = join(path, "cache");
  const open = (maxBytes = 1_000_000, isRemoved = async (_item: string) => false) =>
    openFileCache(folder, { maxBytes, isRemoved, log });
  const listFiles = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .toSorted();
  return { folder, open, listFiles };
}

describe("a cache on disk", () => {
  it("still has its files after a restart", async () => {
    const { open } = await openFolder();
    const path = await open().store(key("news/a.jpg"), long);
    expect(await open().find(key("news/a.jpg"))).toBe(path);
    expect(await readFile(path)).toEqual(long);
    expect(await open().find(key("news/b.jpg"))).toBeNull();
  });

  it("has only the current version of each item", async () => {
    const { open, listFiles } = await openFolder();
    const cache = open();
    await cache.store(key("news/a.jpg", "v1"), long);
    await cache.store(key("news/a.jpg", "v2"), long);
    expect(await cache.find(key("news/a.jpg", "v1"))).toBeNull();
    expect(await listFiles()).toEqual(["news/a.jpg/v2/480.avif"]);
    await cache.remove("news/a.jpg");
    expect(await listFiles()).toEqual([]);
  });

  it("deletes the files of removed items, and the least recently used ones", async () => {
    const { folder, open, listFiles } = await openFolder();
    // A large cache deletes nothing while the test prepares its files.
    const large = open();
    for (const item of ["share-1", "news/removed.jpg", "news/old.jpg", "news/used.jpg"]) {
      const path = await large.store(key(item), long);
      await utimes(path, new Date("2026-01-01"), new Date("2026-01-01"));
    }
    const small = open(1_000, async (item) => item === "news/removed.jpg");
    await small.find(key("news/used.jpg"));
    await small.tidy();
    expect(await listFiles()).toEqual(["news/used.jpg/v1/480.avif"]);
    expect(await readdir(folder)).toEqual(["news"]);
  });

  it("that is full when a process starts is tidied after the first file", async () => {
    const { open, listFiles } = await openFolder();
    for (const item of ["a", "b", "c"]) {
      const path = await open().store(key(item), long);
      await utimes(path, new Date("2026-01-01"), new Date("2026-01-01"));
    }
    await open(1_500).store(key("d"), long);
    await expect.poll(listFiles).toHaveLength(2);
    expect(await listFiles()).toContain("d/v1/480.avif");
  });

  it("can be deleted at any time", async () => {
    const { folder, open } = await openFolder();
    const cache = open();
    await cache.store(key("a"), long);
    await rm(folder, { recursive: true });
    expect(await cache.find(key("a"))).toBeNull();
    const path = await cache.store(key("a"), long);
    expect(await readFile(path)).toEqual(long);
  });

  it("fails if nothing can be stored, and finds nothing", async () => {
    const { folder, open } = await openFolder();
    await writeFile(folder, "a file in place of the folder");
    await expect(open().store(key("a"), long)).rejects.toThrow("ENOTDIR");
    expect(await open().find(key("a"))).toBeNull();
  });
});
