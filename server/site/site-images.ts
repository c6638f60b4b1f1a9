import { createHash } from "node:crypto";
import { open, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { artFileName } from "../../app/lib/images/art.ts";
import {
  isIntactImage,
  maxAvifMegapixels,
  maxFullDecodeMegapixels,
  readImageSize,
} from "../../app/lib/images/images.server.ts";
import { isDrawing, maxPhotoHeight, maxPhotoWidth } from "../../app/lib/images/photos.ts";
import { heicAdvice } from "../../app/site-files/image-names.server.ts";
import { isInside, linkAdvice } from "./inside-folder.ts";

type ImageFile = {
  /** The file within the city folder, such as news/pier.jpg. */
  path: string;
  version: string;
  width: number;
  height: number;
};
/** A drawing in the folder art/, which is served as it is. */
type Drawing = ImageFile & { format: "svg" };
/**
 * A photo in the folder art/, or in a folder of Markdown files such as news/. The width and height
 * are those of the largest variant that readers get. The format is for browsers that do not support
 * AVIF and WebP, and for other sites.
 */
export type SitePhoto = ImageFile & { format: "jpg" | "png" | "webp" };
export type SiteImage = Drawing | SitePhoto;

type ImageResult =
  | ({ kind: "image" } & SiteImage)
  | { kind: "missing" }
  | { kind: "refused"; message: string };

export type SiteImages = {
  /** Reads an image by its path within the city folder. */
  read(path: string): Promise<ImageResult>;
  /**
   * Refuses a photo in which encoding has found damage, until its file changes. Returns false if
   * `photo` is not the current version, or refused already.
   */
  markDamaged(photo: Pick<SitePhoto, "path" | "version">): Promise<boolean>;
  /** Returns the photos that were found to be damaged since the last call. */
  takeDamaged(): string[];
  /** Lists the files of a folder, including those that are not images. */
  listNames(folder: string): Promise<string[]>;
};

const maxPhotoMegabytes = 40;
const maxDrawingMegabytes = 2;
export const maxMegapixels = 100;
/** Part of the version of every image: after a change here, all images are encoded again. */
const encodingVersion = "2";
/**
 * The version is a hash of this many bytes at the beginning and at the end of a file, because
 * reading thousands of entire photos would slow down the start.
 */
const endBytes = 64 * 1024;

const versionLength = 10;

/**
 * Reads the version and size of images, and caches them until the file changes. `decode` also finds
 * damage in the middle of a photo, which takes too long for the start of a site with thousands of
 * photos.
 */
export function readImages(siteFolder: string, { decode = false } = {}): SiteImages {
  const cached = new Map<string, { stamp: string; result: ImageResult }>();
  let newlyDamaged: string[] = [];

  async function readStamp(path: string): Promise<string> {
    const stats = await stat(join(siteFolder, path)).catch(() => null);
    return stats?.isFile() ? `${stats.mtimeMs}-${stats.size}-${stats.ino}` : "missing";
  }

  async function read(path: string): Promise<ImageResult> {
    const currentStamp = await readStamp(path);
    const previous = cached.get(path);
    if (previous?.stamp === currentStamp) return previous.result;
    cached.delete(path);
    const name = path.slice(path.indexOf("/") + 1);
    if (currentStamp === "missing" || !artFileName.test(name)) return { kind: "missing" };
    const result = await readImage(siteFolder, path, decode);
    cached.set(path, { stamp: currentStamp, result });
    return result;
  }

  return {
    read,
    listNames: (folder) => readdir(join(siteFolder, folder)).catch(() => []),
    async markDamaged({ path, version }) {
      const current = await read(path);
      const entry = cached.get(path);
      if (current.kind !== "image" || current.version !== version || entry?.result !== current)
        return false;
      cached.set(path, { stamp: entry.stamp, result: refuse(damageMessage) });
      newlyDamaged.push(path);
      return true;
    },
    takeDamaged() {
      const taken = newlyDamaged;
      newlyDamaged = [];
      return taken;
    },
  };
}

const damageMessage =
  "is damaged, so readers do not see it: copy it again, or export it again as JPEG";

const refuse = (message: string): ImageResult => ({ kind: "refused", message });

async function readImage(siteFolder: string, path: string, decode: boolean): Promise<ImageResult> {
  if (!(await isInside(siteFolder, join(siteFolder, path)))) return refuse(linkAdvice);
  const { size, ends } = await readEnds(join(siteFolder, path));
  const maxMegabytes = isDrawing(path) ? maxDrawingMegabytes : maxPhotoMegabytes;
  if (size > maxMegabytes * 1024 * 1024)
    return refuse(
      `is ${Math.ceil(size / 1024 / 1024)} MB, and the limit is ${maxMegabytes} MB: make it smaller`,
    );
  const version = createHash("sha256")
    .update(`${encodingVersion} ${size} `)
    .update(ends)
    .digest("base64url")
    .slice(0, versionLength);
  return isDrawing(path)
    ? readDrawing(path, version, ends)
    : readPhoto(siteFolder, path, version, ends, decode);
}

function readDrawing(path: string, version: string, ends: Buffer): ImageResult {
  const size = readDrawingSize(ends.toString("utf8"));
  if (!size) return refuse("is not an SVG with a width and a height, or with a viewBox");
  return { kind: "image", path, version, ...size, format: "svg" };
}

async function readPhoto(
  siteFolder: string,
  path: string,
  version: string,
  ends: Buffer,
  decode: boolean,
): Promise<ImageResult> {
  // Phones and chat programs sometimes save HEIC photos under names that end in .jpg.
  if (isHeic(ends)) return refuse(heicAdvice);
  const file = join(siteFolder, path);
  const size = await readImageSize(file);
  if (!size) return refuse("is damaged, or not an image: export it again as JPEG");
  const megapixels = (size.width * size.height) / 1e6;
  if (megapixels > maxMegapixels)
    return refuse(`has more than ${maxMegapixels} million pixels: make it smaller`);
  if (size.isHeif && megapixels > maxAvifMegapixels)
    return refuse(
      `has more than ${maxAvifMegapixels} million pixels, too many for AVIF: make it smaller, or export it as JPEG`,
    );
  if (size.needsFullDecode && megapixels > maxFullDecodeMegapixels)
    return refuse(
      `has more than ${maxFullDecodeMegapixels} million pixels, too many for a progressive JPEG or an interlaced PNG: make it smaller, or export it without that option`,
    );
  if (decode && !(await isIntactImage(file, maxMegapixels))) return refuse(damageMessage);
  const scale = Math.min(1, maxPhotoWidth / size.width, maxPhotoHeight / size.height);
  const isPng = extname(path).toLowerCase() === ".png";
  return {
    kind: "image",
    path,
    version,
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
    // Icons have to stay PNG files. Other images need transparency only if they have it.
    format: isPng ? "png" : size.hasAlpha ? "webp" : "jpg",
  };
}

/** Whether these are the first bytes of a HEIC file (ISO 23008-12), in which AVIF is stored too. */
function isHeic(bytes: Buffer): boolean {
  const start = bytes.subarray(4, 40).toString("latin1");
  return /^ftyp(?:hei[cmsx]|hev[cmsx]|m[is]f1)/.test(start) && !/avi[fs]/.test(start);
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
