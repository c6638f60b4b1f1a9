import type { Sharp, SharpOptions } from "sharp";

/** No image that readers get is longer than this, or larger in bytes. */
export const maxImageSide = 2_000;
const maxImageBytes = 1024 * 1024;
const timeoutSeconds = 20;

export type ImageFormat = "jpeg" | "png" | "webp";

type Attempt = { side: number; quality: number };

/** Tried one after the other until the image is small enough. */
const attempts: Attempt[] = [
  { side: maxImageSide, quality: 80 },
  { side: maxImageSide, quality: 60 },
  { side: 1_400, quality: 60 },
  { side: 900, quality: 50 },
];

/** Loaded when the first image comes: a process without one does not carry the library. */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  // One thread for each image, and no memory of past ones, so that readers' pages stay fast.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

export type ImageSize = {
  width: number;
  height: number;
  isHeif: boolean;
  /** It can only be decoded as a whole, not line by line, so its memory grows with its size. */
  needsFullDecode: boolean;
};

/**
 * In millions, for images that are decoded as a whole: progressive JPEG (6 bytes per pixel were
 * measured), GIF (5) and interlaced PNG (3). All others took 50 MB or less, whatever their size.
 */
export const maxFullDecodeMegapixels = 24;

/**
 * The size of an image as it is seen, which a camera may have recorded as turned. Null for what is
 * not an image.
 */
export async function readImageSize(input: Uint8Array | string): Promise<ImageSize | null> {
  const sharp = await loadSharp();
  const read = await sharp(input, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => null);
  if (!read) return null;
  const needsFullDecode = read.isProgressive === true || read.format === "gif";
  return { ...read.autoOrient, isHeif: read.format === "heif", needsFullDecode };
}

/** Encoding took too long, which on a busy machine may happen to any image. */
export class ImageTooSlow extends Error {}

type Reencoded = { width: number; height: number; bytes: Uint8Array };

/**
 * Encodes an image again: upright, small enough, and without everything that a camera writes into
 * it, such as where it was. One image at a time, so that memory is needed once; images of the
 * city's own pages do not wait for those that readers send. Null for an image that is damaged or
 * cannot be made small enough; throws ImageTooSlow.
 */
export function reencodeImage(
  input: Uint8Array | string,
  format: ImageFormat,
  maxMegapixels: number,
  whose: "ours" | "readers",
): Promise<Reencoded | null> {
  return enqueue(whose, async () => {
    const sharp = await loadSharp();
    const options: SharpOptions = {
      limitInputPixels: maxMegapixels * 1e6,
      pages: 1,
      failOn: "error",
    };
    for (const attempt of attempts) {
      const { side } = attempt;
      const upright = sharp(input, options)
        .autoOrient()
        .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
      const made = await encode(upright, format, attempt)
        .timeout({ seconds: timeoutSeconds })
        .toBuffer({ resolveWithObject: true })
        .catch((error: Error) => {
          // The library gives it no code of its own.
          if (/timeout/i.test(error.message)) throw new ImageTooSlow(error.message);
          return null;
        });
      if (!made) return null;
      const { data, info } = made;
      if (data.length <= maxImageBytes)
        return { width: info.width, height: info.height, bytes: data };
    }
    return null;
  });
}

/**
 * Whether an image can be decoded from its first to its last byte. The library does so in a thread
 * of its own, one image at a time. An image that takes too long counts as whole: nothing wrong was
 * found in it.
 */
export function isIntactImage(path: string, maxMegapixels: number): Promise<boolean> {
  return enqueue("ours", async () => {
    const sharp = await loadSharp();
    return sharp(path, { limitInputPixels: maxMegapixels * 1e6, pages: 1, failOn: "error" })
      .resize({ width: 64 })
      .timeout({ seconds: timeoutSeconds })
      .raw()
      .toBuffer()
      .then(
        () => true,
        (error: Error) => /timeout/i.test(error.message),
      );
  });
}

function encode(image: Sharp, format: ImageFormat, { quality, side }: Attempt): Sharp {
  switch (format) {
    case "webp":
      return image.webp({ quality });
    case "jpeg":
      return image.jpeg({ quality, mozjpeg: true });
    case "png":
      // The first attempt loses nothing; a photograph, which does not fit then, gets fewer colors.
      return side === maxImageSide && quality === 80
        ? image.png({ compressionLevel: 9 })
        : image.png({ palette: true, quality });
  }
}

const waiting: Record<"ours" | "readers", (() => Promise<void>)[]> = { ours: [], readers: [] };
let isWorking = false;

/**
 * Work that waits until the work before it is done, and everything of ours before anything of
 * readers.
 */
function enqueue<T>(whose: "ours" | "readers", work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting[whose].push(() => work().then(resolve, reject));
    if (!isWorking) drainQueue();
  });
}

async function drainQueue(): Promise<void> {
  isWorking = true;
  for (;;) {
    const next = waiting.ours.shift() ?? waiting.readers.shift();
    if (!next) break;
    await next();
  }
  isWorking = false;
}
