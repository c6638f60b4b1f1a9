import type { Sharp, SharpOptions } from "sharp";

/** The maximum width and height, in pixels, of all images that we serve. */
export const maxImageSide = 2_000;
/** The maximum size of the file of each of these images. */
const maxImageBytes = 1024 * 1024;
const timeoutSeconds = 20;

export type ImageFormat = "jpeg" | "png" | "webp";

type Attempt = { side: number; quality: number };

/** The attempts to encode an image, made in this order until the result is small enough. */
const attempts: Attempt[] = [
  { side: maxImageSide, quality: 80 },
  { side: maxImageSide, quality: 60 },
  { side: 1_400, quality: 60 },
  { side: 900, quality: 50 },
];

/**
 * Loads the image library when it is first needed, so that a process without images does not use
 * memory for it.
 */
async function loadSharp() {
  const { default: sharp } = await import("sharp");
  // One thread per image and no cache, so that readers' pages stay fast.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

export type ImageSize = {
  width: number;
  height: number;
  isHeif: boolean;
  /**
   * True if the image can only be decoded as a whole, not line by line. The memory needed then
   * grows with the size of the image.
   */
  needsFullDecode: boolean;
};

/**
 * The maximum number of pixels, in millions, of images that are decoded as a whole: progressive
 * JPEG (we measured 6 bytes of memory per pixel), GIF (5 bytes) and interlaced PNG (3 bytes).
 * Decoding any other image took 50 MB or less, whatever its size.
 */
export const maxFullDecodeMegapixels = 24;

/**
 * The size of an image as readers see it: a camera may have stored it rotated. Null if the input is
 * not an image.
 */
export async function readImageSize(input: Uint8Array | string): Promise<ImageSize | null> {
  const sharp = await loadSharp();
  const metadata = await sharp(input, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => null);
  if (!metadata) return null;
  const needsFullDecode = metadata.isProgressive === true || metadata.format === "gif";
  return { ...metadata.autoOrient, isHeif: metadata.format === "heif", needsFullDecode };
}

/** Encoding took too long, which can happen with any image on a busy machine. */
export class ImageTooSlow extends Error {}

type ReencodedImage = { width: number; height: number; bytes: Uint8Array };

/**
 * Re-encodes an image: upright, small enough, and without metadata such as the location of the
 * camera. Images are processed one at a time to limit memory; images of the city's own pages do not
 * wait for those that readers send. Returns null for an image that is damaged or cannot be made
 * small enough. Throws ImageTooSlow if encoding takes too long.
 */
export function reencodeImage(
  input: Uint8Array | string,
  format: ImageFormat,
  maxMegapixels: number,
  whose: "ours" | "readers",
): Promise<ReencodedImage | null> {
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
      const encoded = await encode(upright, format, attempt)
        .timeout({ seconds: timeoutSeconds })
        .toBuffer({ resolveWithObject: true })
        .catch((error: Error) => {
          // The library has no error code for timeouts.
          if (/timeout/i.test(error.message)) throw new ImageTooSlow(error.message);
          return null;
        });
      if (!encoded) return null;
      const { data, info } = encoded;
      if (data.length <= maxImageBytes)
        return { width: info.width, height: info.height, bytes: data };
    }
    return null;
  });
}

/**
 * Whether an image can be decoded from its first to its last byte. The library decodes in a
 * separate thread, one image at a time. An image that takes too long counts as intact, because no
 * error was found in it.
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
      // The first attempt is lossless. If its result is too large, as for a photo, the other
      // attempts use fewer colors.
      return side === maxImageSide && quality === 80
        ? image.png({ compressionLevel: 9 })
        : image.png({ palette: true, quality });
  }
}

const waiting: Record<"ours" | "readers", (() => Promise<void>)[]> = { ours: [], readers: [] };
let isWorking = false;

/** Queues work. Our own work runs before work for readers, one piece at a time. */
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
