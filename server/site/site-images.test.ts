import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { publishImages, readImages } from "./site-images.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

it("a photo that cannot be stored is retried after a while, and a damaged photo is not", async () => {
  const art = join(folder.path, "art");
  await mkdir(art);
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const photo = await sharp({
    create: { width: 200, height: 150, channels: 3, background: "#345", noise },
  })
    .jpeg()
    .toBuffer();
  await writeFile(join(art, "pier.jpg"), photo);
  // The first half is intact, so that the size can be read; the rest is missing.
  await writeFile(join(art, "torn.jpg"), photo.subarray(0, photo.length / 2));
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const cache = join(folder.path, "cache");
  await writeFile(cache, "a file instead of the folder, so that nothing can be stored");
  const findPublicImage = await publishImages(folder.path, cache, readImages(folder.path), log);
  const countLogged = (event: string) => lines.filter((line) => line.includes(event)).length;

  expect(await findPublicImage("pier.jpg")).toBeNull();
  expect(await findPublicImage("torn.jpg")).toBeNull();
  await rm(cache);
  expect(await findPublicImage("pier.jpg")).toBeNull();
  expect([countLogged("image.not_encoded"), countLogged("image.damaged")]).toEqual([1, 1]);

  vi.advanceTimersByTime(30_000);
  expect((await findPublicImage("pier.jpg"))?.file).toMatch(/-pier\.jpg$/);
  expect(await findPublicImage("torn.jpg")).toBeNull();
  expect([countLogged("image.not_encoded"), countLogged("image.damaged")]).toEqual([1, 1]);
});
