import type { ResizeOptions, Sharp } from "sharp";
import {
  enqueueImage,
  type ImagePriority,
  imageTimeoutSeconds,
  isImageTimeout,
  openImage,
} from "./image-queue.server.ts";
import { ImageTooSlow } from "./images.server.ts";
import type { VariantFormat } from "./photos.ts";

export type Variant = { width: number; format: VariantFormat };

/** A PNG of more bytes than this is probably a photo. It is encoded again with fewer colors. */
const maxLosslessBytes = 1024 * 1024;

/** A photo of the newsroom, with the size of its largest variant. */
type Photo = { path: string; width: number; height: number };

/**
 * Encodes a photo at several widths and in several formats: upright, in sRGB, and without metadata
 * such as the location. The photo is decoded once, at the largest of the widths. Returns null if it
 * is damaged. Throws ImageTooSlow if a step takes too long.
 */
export function encodeVariants(
  photo: Photo,
  variants: Variant[],
  maxMegapixels: number,
  priority: ImagePriority,
): Promise<Uint8Array[] | null> {
  return enqueueImage(priority, async (sharp) => {
    const largest = Math.max(...variants.map(({ width }) => width));
    try {
      const { data, info } = await (await openImage(sharp, photo.path, maxMegapixels))
        .autoOrient()
        .resize(toSize(photo, largest))
        .toColorspace("srgb")
        .timeout({ seconds: imageTimeoutSeconds })
        .raw({ depth: "uchar" })
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = info;
      const encoded: Uint8Array[] = [];
      for (const variant of variants) {
        const image = sharp(data, { raw: { width, height, channels } });
        encoded.push(await encode(image.resize(toSize(photo, variant.width)), variant.format));
      }
      return encoded;
    } catch (error) {
      if (isImageTimeout(error)) throw new ImageTooSlow(String(error));
      return null;
    }
  });
}

/** The height is rounded as in pages, which reserve space for the photo. */
const toSize = (photo: Photo, width: number): ResizeOptions => ({
  width,
  height: Math.max(1, Math.round((photo.height * width) / photo.width)),
  fit: "fill",
});

/**
 * The qualities look the same to us. A higher effort would make AVIF files 6 % smaller, but the
 * first reader of a photo would wait twice as long.
 */
async function encode(image: Sharp, format: VariantFormat): Promise<Uint8Array> {
  const timed = image.timeout({ seconds: imageTimeoutSeconds });
  switch (format) {
    case "avif":
      return timed.avif({ quality: 50, effort: 2, chromaSubsampling: "4:2:0" }).toBuffer();
    case "webp":
      return timed.webp({ quality: 75 }).toBuffer();
    case "jpg":
      return timed.flatten({ background: "#fff" }).jpeg({ quality: 78, mozjpeg: true }).toBuffer();
    case "png": {
      const lossless = await timed.clone().png({ compressionLevel: 9 }).toBuffer();
      return lossless.length <= maxLosslessBytes
        ? lossless
        : timed.png({ palette: true, quality: 80 }).toBuffer();
    }
  }
}
