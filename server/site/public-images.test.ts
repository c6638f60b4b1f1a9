import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { type PublicImage, publishImages } from "./public-images.ts";
import { readImages } from "./site-images.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let city: string;
let cache: string;
let lines: string[];
const log = createLog({ write: (line) => lines.push(line) });
const countLogged = (event: string) => lines.filter((line) => line.includes(event)).length;

beforeEach(async () => {
  folder = await temporaryFolder();
  city = join(folder.path, "city");
  cache = join(folder.path, "cache");
  lines = [];
  await mkdir(join(city, "news"), { recursive: true });
  await mkdir(join(city, "art"));
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

const openImages = () =>
  publishImages(city, {
    images: readImages(city),
    cacheFolder: cache,
    photoFolders: ["news"],
    isNamed: () => true,
    log,
  });

const createPhoto = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: {
      width,
      height,
      channels,
      background: { r: 50, g: 90, b: 130, alpha: channels === 4 ? 0.5 : 1 },
    },
  });

const save = (path: string, bytes: Uint8Array | string) => writeFile(join(city, path), bytes);

const readSize = async (image: PublicImage | null) => {
  if (!image) return null;
  const { width, height, format } = await sharp(image.file).metadata();
  return `${width}x${height} ${format}`;
};

it("a photo has three widths in three formats, and a smaller photo is not enlarged", async () => {
  await save("news/pier.jpg", await createPhoto(2_400, 1_600).jpeg().toBuffer());
  await save("art/small.png", await createPhoto(700, 500, 4).png().toBuffer());
  const images = openImages();
  const sizes = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => readSize(await images.find(path))));
  expect(
    await sizes(
      "news/pier.jpg/480.avif",
      "news/pier.jpg/960.webp",
      "news/pier.jpg/1600.jpg",
      "news/pier.jpg",
      "art/small.png",
      "art/small.png/480.webp",
    ),
  ).toEqual([
    "480x320 heif",
    "960x640 webp",
    "1600x1067 jpeg",
    "1600x1067 jpeg",
    "700x500 png",
    "480x343 webp",
  ]);
  // A page from before the photo was replaced may ask for a width that it no longer has.
  expect(await sizes("art/small.png/1600.jpg", "art/small.png/999.avif")).toEqual([
    "700x500 png",
    "700x500 heif",
  ]);
});

it("a photo is upright, in the colors of the web, and without the place where it was taken", async () => {
  const photo = createPhoto(900, 600)
    .withMetadata({ orientation: 6, icc: "p3" })
    .withExifMerge({ IFD0: { Artist: "Secret Street" }, IFD3: { GPSLatitudeRef: "N" } });
  await save("news/phone.jpg", await photo.jpeg().toBuffer());
  await save("news/print.jpg", await createPhoto(600, 400).toColorspace("cmyk").jpeg().toBuffer());
  await save("news/deep.png", await createPhoto(600, 400).toColorspace("rgb16").png().toBuffer());
  await save("news/grey.avif", await createPhoto(600, 400).greyscale().avif().toBuffer());
  const images = openImages();
  for (const [name, size] of [
    ["phone.jpg", "600x900"],
    ["print.jpg", "600x400"],
    ["deep.png", "600x400"],
    ["grey.avif", "600x400"],
  ]) {
    for (const extension of ["avif", "webp", "jpg"]) {
      const image = await images.find(`news/${name}/600.${extension}`);
      expect(await readSize(image), `${name} ${extension}`).toContain(size);
      const file = image?.file ?? "";
      const metadata = await sharp(file).metadata();
      expect(metadata).toMatchObject({ space: expect.stringMatching(/^(srgb|b-w)$/) });
      expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
  }
});

it("a transparent WebP stays transparent for browsers without AVIF, and is white in no format", async () => {
  await save("news/logo.webp", await createPhoto(300, 200, 4).webp().toBuffer());
  const images = openImages();
  expect(await readSize(await images.find("news/logo.webp"))).toBe("300x200 webp");
});

it.each([
  "news/none.jpg",
  "news/pier.jpg/480.gif",
  "news/pier.jpg/480.avif/x",
  "news/../art/pier.jpg",
  "blog/pier.jpg",
  "news/drawing.svg",
  "art/drawing.svg/480.avif",
  "news/fire.md",
])("readers get nothing for %s", async (path) => {
  const photo = await createPhoto(60, 40).jpeg().toBuffer();
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>`;
  await mkdir(join(city, "blog"));
  for (const name of ["news/pier.jpg", "art/pier.jpg", "blog/pier.jpg"]) await save(name, photo);
  for (const name of ["news/drawing.svg", "art/drawing.svg"]) await save(name, drawing);
  await save("news/fire.md", "---\n---\n");
  expect(await openImages().find(path)).toBeNull();
});

it("a photo that is saved is encoded before its first reader arrives", async () => {
  await save("news/pier.jpg", await createPhoto(1_200, 800).jpeg().toBuffer());
  const images = openImages();
  await images.prepare(["news/pier.jpg", "news/missing.jpg", "art/missing.svg"]);
  const listCached = async () => (await readdir(cache, { recursive: true })).map(String);
  await expect
    .poll(async () => (await listCached()).filter((file) => /\.(avif|jpg)$/.test(file)).length)
    // The folder of the photo, three AVIF files and the largest JPEG.
    .toBe(5);
  expect((await listCached()).filter((file) => file.endsWith(".webp"))).toEqual([]);
});

it("a replaced photo gets a new version, and a removed one is gone from the cache too", async () => {
  await save("news/pier.jpg", await createPhoto(600, 400).jpeg().toBuffer());
  const images = openImages();
  const first = await images.find("news/pier.jpg");
  await save("news/pier.jpg", await createPhoto(640, 400).jpeg().toBuffer());
  const second = await images.find("news/pier.jpg");
  expect(await readSize(second)).toBe("640x400 jpeg");
  expect(second?.version).not.toBe(first?.version);
  expect(await readdir(join(cache, "news/pier.jpg"))).toEqual([second?.version]);

  await rm(join(city, "news/pier.jpg"));
  expect(await images.find("news/pier.jpg")).toBeNull();
  expect(await readdir(join(cache, "news"))).toEqual([]);
});

it("a photo that cannot be stored is left out for a while, and a damaged photo is not retried", async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const photo = await sharp({
    create: { width: 200, height: 150, channels: 3, background: "#345", noise },
  })
    .jpeg()
    .toBuffer();
  await save("art/pier.jpg", photo);
  // The first half is intact, so that the size can be read; the rest is missing.
  await save("art/torn.jpg", photo.subarray(0, photo.length / 2));
  await writeFile(cache, "a file instead of the folder, so that nothing can be stored");
  const images = openImages();
  for (let times = 0; times < 2; times += 1) {
    expect(await images.find("art/pier.jpg")).toBeNull();
    expect(await images.find("art/torn.jpg")).toBeNull();
  }
  expect([countLogged("image.not_encoded"), countLogged("image.damaged")]).toEqual([1, 1]);
});

it("photos stay in the cache while the disk of the city folder is not mounted", async () => {
  await save("news/pier.jpg", await createPhoto(600, 400).jpeg().toBuffer());
  const images = openImages();
  const { version } = (await images.find("news/pier.jpg")) ?? {};
  await rename(join(city, "news"), join(city, "away"));
  expect(await images.find("news/pier.jpg")).toBeNull();
  expect(await readdir(join(cache, "news/pier.jpg"))).toEqual([version]);
});
