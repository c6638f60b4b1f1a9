import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { createLog } from "../../lib/log.ts";
import { createFileCache } from "./file-cache.server.ts";

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
});

async function openFolder() {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const folder = join(path, "cache/share");
  return {
    folder,
    lines,
    open: (limits: { maxFiles?: number; maxBytes?: number } = {}) =>
      createFileCache(folder, { maxFiles: 10, maxBytes: 1_000_000, ...limits }, log),
  };
}

describe("the folder of share images", () => {
  it("returns an image that was stored, also after a restart", async () => {
    const { open } = await openFolder();
    const cache = open();
    expect(await cache.read("news-a", "v1")).toBeNull();
    await cache.write("news-a", "v1", png);
    expect(await cache.read("news-a", "v1")).toEqual(png);
    expect(await open().read("news-a", "v1")).toEqual(png);
  });

  it("has only the current version of each page's image", async () => {
    const { open, folder } = await openFolder();
    const cache = open();
    await cache.write("news-a", "v1", png);
    await cache.write("news-a", "v2", png);
    expect(await cache.read("news-a", "v1")).toBeNull();
    expect(await readdir(folder)).toEqual(["news-a.v2.png"]);
    await cache.remove("news-a");
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["files", { maxFiles: 3 }],
    ["bytes", () => ({ maxBytes: 3.5 * png.length })],
  ])("deletes the least recently used images if there are too many %s", async (_what, limits) => {
    const { open, folder } = await openFolder();
    const cache = open(typeof limits === "function" ? limits() : limits);
    for (const name of ["a", "b", "c"]) await cache.write(name, "v", png);
    await cache.read("a", "v");
    await cache.write("d", "v", png);
    expect((await readdir(folder)).toSorted()).toEqual(["a.v.png", "c.v.png", "d.v.png"]);
  });

  it("knows after a restart which images were used last", async () => {
    const { open, folder } = await openFolder();
    await mkdir(folder, { recursive: true });
    for (const [index, name] of ["c", "a", "b"].entries()) {
      await writeFile(join(folder, `${name}.v.png`), png);
      await utimes(join(folder, `${name}.v.png`), index, index);
    }
    await writeFile(join(folder, "d.v.png.tmp"), png);
    const cache = open({ maxFiles: 2 });
    expect(await cache.read("b", "v")).toEqual(png);
    expect((await readdir(folder)).toSorted()).toEqual(["a.v.png", "b.v.png"]);
  });

  it("can be deleted at any time", async () => {
    const { open, folder } = await openFolder();
    const cache = open();
    await cache.write("news-a", "v1", png);
    await rm(folder, { recursive: true });
    expect(await cache.read("news-a", "v1")).toBeNull();
    await cache.write("news-a", "v1", png);
    expect(await readFile(join(folder, "news-a.v1.png"))).toEqual(png);
  });

  it("ignores a file that is damaged after a power failure", async () => {
    const { open, folder } = await openFolder();
    await open().write("news-a", "v1", png);
    await truncate(join(folder, "news-a.v1.png"), 0);
    const cache = open();
    expect(await cache.read("news-a", "v1")).toBeNull();
    await cache.write("news-a", "v1", png);
    expect(await cache.read("news-a", "v1")).toEqual(png);
  });

  it("stores nothing if that is not possible, and says so in the log", async () => {
    const { open, folder, lines } = await openFolder();
    await mkdir(join(folder, ".."), { recursive: true });
    await writeFile(folder, "a file in place of the folder");
    const cache = open();
    await cache.write("news-a", "v1", png);
    expect(await cache.read("news-a", "v1")).toBeNull();
    expect(lines.join("")).toContain("share_image.not_stored");
  });
});
