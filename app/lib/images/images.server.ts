import {
  enqueueImage,
  imageTimeoutSeconds,
  isImageTimeout,
  loadSharp,
  openImage,
} from "./image-queue.server.ts";

/** The maximum width and height, in pixels, of the images that readers send. */
const maxImageSide = 2_000;
const maxEncodedBytes = 1024 * 1024;

type Attempt = { side: number; quality: number };

/** The attempts to encode an image, made in this order until the result is small enough. */
const attempts: Attempt[] = [
  { side: maxImageSide, quality: 80 },
  { side: maxImageSide, quality: 60 },
  { side: 1_400, quality: 60 },
  { side: 900, quality: 50 },
];

export type ImageSize = {
  width: number;
  height: number;
  hasAlpha: boolean;
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
/** Decoding AVIF takes far more memory: we measured 19 bytes per pixel. */
export const maxAvifMegapixels = 16;

/**
 * Reads the size of an image as readers see it: a camera may have stored it rotated. Null if the
 * input is not an image.
 */
export async function readImageSize(input: Uint8Array | string): Promise<ImageSize | null> {
  const sharp = await loadSharp();
  const metadata = await sharp(input, { limitInputPixels: false, pages: 1 })
    .metadata()
    .catch(() => null);
  if (!metadata) return null;
  const needsFullDecode = metadata.isProgressive === true || metadata.format === "gif";
  return {
    ...metadata.autoOrient,
    hasAlpha: metadata.hasAlpha,
    isHeif: metadata.format === "heif",
    needsFullDecode,
  };
}

/** Encoding took too long, which can happen with any image on a busy machine. */
export class ImageTooSlow extends Error {}

type ReencodedImage = { width: number; height: number; bytes: Uint8Array };

/**
 * Re-encodes an image that a reader sent, as WebP: upright, small enough, and without metadata such
 * as the location. Returns null if that is not possible. Throws ImageTooSlow if it takes too long.
 */
export function reencodeImage(
  input: Uint8Array,
  maxMegapixels: number,
): Promise<ReencodedImage | null> {
  return enqueueImage("request", async (sharp) => {
    for (const { side, quality } of attempts) {
      const encoded = await openImage(sharp, input, maxMegapixels)
        .then((image) =>
          image
            .autoOrient()
            .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
            .webp({ quality })
            .timeout({ seconds: imageTimeoutSeconds })
            .toBuffer({ resolveWithObject: true }),
        )
        .catch((error: Error) => {
          if (isImageTimeout(error)) throw new ImageTooSlow(error.message);
          return null;
        });
      if (!encoded) return null;
      const { data, info } = encoded;
      if (data.length <= maxEncodedBytes)
        return { width: info.width, height: info.height, bytes: data };
    }
    return null;
  });
}

/** The maximum width and height of a preview: one column of an email. */
const maxPreviewSide = 480;

/**
 * Creates a small copy of a stored image, for emails: as JPEG, because some mail programs know no
 * newer format. Null if the image cannot be decoded, or takes too long.
 */
export function createPreview(stored: Uint8Array): Promise<ReencodedImage | null> {
  return enqueueImage("background", async (sharp) => {
    const size = { width: maxPreviewSide, height: maxPreviewSide };
    return openImage(sharp, stored, (maxImageSide * maxImageSide) / 1e6)
      .then((image) =>
        image
          .resize({ ...size, fit: "inside", withoutEnlargement: true })
          .flatten({ background: "#ffffff" })
          .jpeg({ quality: 70 })
          .timeout({ seconds: imageTimeoutSeconds })
          .toBuffer({ resolveWithObject: true }),
      )
      .then(
        ({ data, info }) => ({ width: info.width, height: info.height, bytes: data }),
        () => null,
      );
  });
}

/**
 * Whether an image can be decoded from its first to its last byte. An image that takes too long
 * counts as intact, because no error was found in it.
 */
export function isIntactImage(path: string, maxMegapixels: number): Promise<boolean> {
  return enqueueImage("background", async (sharp) => {
    return openImage(sharp, path, maxMegapixels)
      .then((image) =>
        image.resize({ width: 64 }).timeout({ seconds: imageTimeoutSeconds }).raw().toBuffer(),
      )
      .then(() => true, isImageTimeout);
  });
}

/**
 * Reads the media type of an image from its first bytes, because the type that its sender declares
 * may be wrong. SVG is not accepted, because it is a document that may contain scripts.
 */
export function imageType(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (/^ftypavi[fs]/.test(text.slice(4))) return "image/avif";
  return null;
}
