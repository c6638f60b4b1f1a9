import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import {
  type ImageFormat,
  isIntactImage,
  maxFullDecodeMegapixels,
  maxImageSide,
  readImageSize,
  reencodeImage,
} from "../../app/lib/images/images.server.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { artFileName, artPath } from "../../app/lib/site/art.ts";

/** An image in the folder art/, with the width and height that readers get. */
export type SiteImage = { version: string; width: number; height: number };
type ImageResult =
  | ({ kind: "image" } & SiteImage)
  | { kind: "missing" }
  | { kind: "refused"; message: string };

export type SiteImages = {
  /** Returns a string that changes when the file changes. */
  readStamp(name: string): Promise<string>;
  read(name: string): Promise<ImageResult>;
  listNames(): Promise<string[]>;
};

const maxPhotoMegabytes = 40;
const maxDrawingMegabytes = 2;
const maxMegapixels = 100;
/** Part of the version of every image: after a change here, all images are encoded again. */
const encodingVersion = "1";
/**
 * The version is a hash of this many bytes at the beginning and at the end of a file, because
 * reading thousands of entire photos would slow down the start.
 */
const endBytes = 64 * 1024;

const versionLength = 10;
const retryAfterMs = 30_000;

const isDrawing = (name: string) => extname(name).toLowerCase() === ".svg";

/**
 * Reads the version and size of images, and caches them until the file changes. `decode` also finds
 * damage in the middle of a photo, which takes too long for the start of a site with thousands of
 * photos.
 */
export function readImages(siteFolder: string, { decode = false } = {}): SiteImages {
  const folder = join(siteFolder, "art");
  const cached = new Map<string, { stamp: string; result: ImageResult }>();

  async function readStamp(name: string): Promise<string> {
    const stats = await stat(join(folder, name)).catch(() => null);
    return stats?.isFile() ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
  }

  return {
    readStamp,
    listNames: async () =>
      (await readdir(folder).catch(() => [])).filter((name) => artFileName.test(name)),
    async read(name) {
      const currentStamp = await readStamp(name);
      const previous = cached.get(name);
      if (previous?.stamp === currentStamp) return previous.result;
      cached.delete(name);
      if (currentStamp === "missing" || !artFileName.test(name)) return { kind: "missing" };
      const result = await readImage(folder, name, decode);
      cached.set(name, { stamp: currentStamp, result });
      return result;
    },
  };
}

async function readImage(folder: string, name: string, decode: boolean): Promise<ImageResult> {
  const refused = (message: string): ImageResult => ({ kind: "refused", message });
  const path = join(folder, name);
  const { size, ends } = await readEnds(path);
  const maxMegabytes = isDrawing(name) ? maxDrawingMegabytes : maxPhotoMegabytes;
  if (size > maxMegabytes * 1024 * 1024)
    return refused(
      `is ${Math.ceil(size / 1024 / 1024)} MB, and the limit is ${maxMegabytes} MB: make it smaller`,
    );
  const pixels = isDrawing(name)
    ? readDrawingSize(ends.toString("utf8"))
    : await readImageSize(path);
  if (!pixels)
    return refused(
      isDrawing(name)
        ? "is not an SVG with a width and a height, or with a viewBox"
        : "is damaged, or not an image: export it again as JPEG",
    );
  if (pixels.width * pixels.height > maxMegapixels * 1e6)
    return refused(`has more than ${maxMegapixels} million pixels: make it smaller`);
  if (
    "needsFullDecode" in pixels &&
    pixels.needsFullDecode &&
    pixels.width * pixels.height > maxFullDecodeMegapixels * 1e6
  )
    return refused(
      `has more than ${maxFullDecodeMegapixels} million pixels, too many for a progressive JPEG or an interlaced PNG: make it smaller, or export it without that option`,
    );
  if (decode && !isDrawing(name) && !(await isIntactImage(path, maxMegapixels)))
    return refused(
      "is damaged, so only a part of it can be shown: copy it again, or export it again as JPEG",
    );
  const scale = isDrawing(name)
    ? 1
    : Math.min(1, maxImageSide / Math.max(pixels.width, pixels.height));
  return {
    kind: "image",
    version: createHash("sha256")
      .update(`${encodingVersion} ${size} `)
      .update(ends)
      .digest("base64url")
      .slice(0, versionLength),
    width: Math.round(pixels.width * scale),
    height: Math.round(pixels.height * scale),
  };
}

async function readEnds(path: string): Promise<{ size: number; ends: Buffer }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const ends = Buffer.alloc(Math.min(size, 2 * endBytes));
    const first = Math.min(ends.length, endBytes);
    await file.read(ends, 0, first, 0);
    await file.read(ends, first, ends.length - first, size - (ends.length - first));
    return { size, ends };
  } finally {
    await file.close();
  }
}

/** Reads the size of an SVG from its width and height, otherwise from its viewBox. */
function readDrawingSize(source: string): { width: number; height: number } | null {
  const start = source.indexOf("<svg");
  const tag = start < 0 ? "" : source.slice(start, start + 2_000).split(">", 1)[0];
  const number = (name: string) =>
    Number(new RegExp(`\\s${name}=["']([0-9.]{1,12})(?:px)?["']`).exec(tag ?? "")?.[1]);
  const [width, height] = [number("width"), number("height")];
  if (width > 0 && height > 0) return { width, height };
  const box =
    /\sviewBox=["'][-0-9.]{1,12}[ ,]+[-0-9.]{1,12}[ ,]+([0-9.]{1,12})[ ,]+([0-9.]{1,12})["']/.exec(
      tag ?? "",
    );
  const [boxWidth, boxHeight] = [Number(box?.[1]), Number(box?.[2])];
  return boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null;
}

/**
 * The path of the current version of an image. A different version has a different path, so no
 * cache shows an old image.
 */
export const versionedPath = (name: string, { version }: SiteImage) =>
  `${artPath(name)}?v=${version}`;

export type PublicImage = { file: string; version: string };

/**
 * Returns a function that finds the file that readers may get for an image. A drawing is served as
 * it is. A photo is re-encoded when it is first requested and cached in `cacheFolder`, because the
 * metadata of the newsroom's file may tell where the photo was taken and by whom.
 */
export async function publishImages(
  siteFolder: string,
  cacheFolder: string,
  images: SiteImages,
  log: Log,
) {
  const inFlight = createInFlight<PublicImage | null>();
  const damagedKeys = new Set<string>();
  /** When to retry images that are intact but could not be encoded. */
  const retryAt = new Map<string, number>();
  const cachedFiles = new Set(await readdir(cacheFolder).catch(() => []));
  const present = new Set(await images.listNames());
  for (const file of cachedFiles)
    if (!present.has(parseImageName(file))) await deleteCached(parseImageName(file));

  /** Deletes the cached versions of an image that was removed or replaced. */
  async function deleteCached(name: string, except = ""): Promise<void> {
    for (const file of cachedFiles) {
      if (parseImageName(file) !== name || file === except) continue;
      cachedFiles.delete(file);
      await rm(join(cacheFolder, file), { force: true });
    }
  }

  async function encodeIntoCache(name: string, key: string): Promise<string | null> {
    const file = join(cacheFolder, key);
    // An operator who needs space may delete the cache folder at any time.
    if (cachedFiles.has(key) && (await stat(file).catch(() => null))) return file;
    const encoded = await reencodeImage(
      join(siteFolder, "art", name),
      chooseFormat(name),
      maxMegapixels,
      "ours",
    );
    if (!encoded) {
      damagedKeys.add(key);
      log.warn("image.damaged", {
        file: `art/${name}`,
        message: "cannot be decoded: export it again",
      });
      return null;
    }
    // The file is renamed into place, so that readers never get a half-written image.
    await mkdir(cacheFolder, { recursive: true });
    await writeFile(`${file}.tmp`, encoded.bytes);
    await rename(`${file}.tmp`, file);
    cachedFiles.add(key);
    await deleteCached(name, key);
    return file;
  }

  /**
   * Logs that an image could not be encoded, for example because the disk is full or the machine is
   * too busy. The image is then missing until a later retry succeeds.
   */
  async function reportNotEncoded(name: string, key: string, error: unknown): Promise<null> {
    retryAt.set(key, performance.now() + retryAfterMs);
    await rm(join(cacheFolder, `${key}.tmp`), { force: true }).catch(() => {});
    log.warn("image.not_encoded", { file: `art/${name}`, ...errorFields(error) });
    return null;
  }

  return async function findPublicImage(name: string): Promise<PublicImage | null> {
    const result = await images.read(name);
    if (result.kind !== "image") {
      if (result.kind === "missing") await deleteCached(name);
      return null;
    }
    const { version } = result;
    if (isDrawing(name)) return { file: join(siteFolder, "art", name), version };
    const key = `${version}-${name}`;
    if (damagedKeys.has(key) || (retryAt.get(key) ?? 0) > performance.now()) return null;
    return inFlight.share(key, async () => {
      const file = await encodeIntoCache(name, key).catch((error) =>
        reportNotEncoded(name, key, error),
      );
      return file === null ? null : { file, version };
    });
  };
}

/** Parses the name of a cached file, which is the version, a hyphen and the name of the image. */
const parseImageName = (file: string) => file.slice(versionLength + 1);

const chooseFormat = (name: string): ImageFormat => {
  const extension = extname(name).toLowerCase();
  return extension === ".png" ? "png" : extension === ".webp" ? "webp" : "jpeg";
};
