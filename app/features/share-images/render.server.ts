import type { PngOptions } from "sharp";
import { enqueueImage, openImage } from "../../lib/images/image-queue.server.ts";
import { type FocusPoint, findPhotoSources } from "../../lib/images/photos.ts";
import { errorFields, type Log } from "../../lib/log.ts";
import type { ReadOwnImage, ShareCard } from "../../platform/share-card.ts";
import type { RunInWorker } from "../../platform/worker-task.ts";
import type { Look } from "../brand/look-file.server.ts";
import type { Brand } from "./card/draw-card.server.ts";
import { imagePanel, markPlace } from "./model.ts";
import { drawCardTask } from "./tasks.server.ts";

/** The limit for a share image. Some networks do not show larger images. */
export const maxShareImageBytes = 200_000;
const timeoutSeconds = 10;

type RenderServices = {
  runInWorker: RunInWorker;
  log: Log;
  readImage: ReadOwnImage;
};

/** `isFinal` is false if an image is missing that may be back later. */
export type RenderedImage = { bytes: Uint8Array; isFinal: boolean };

/**
 * A worker converts the texts to outlines, and the image library combines them with the image of
 * the card. A card without an image shows the harbor.
 */
export async function renderShareImage(
  { runInWorker, log, readImage }: RenderServices,
  card: ShareCard,
  { brand, look, mark }: { brand: Brand; look: Look; mark: string },
): Promise<RenderedImage> {
  /** Decodes an image of the card; null, with a warning, if it cannot be shown. */
  const prepare = async (
    { path, focus }: { path: string; focus?: FocusPoint | undefined },
    size: Size,
  ): Promise<Buffer | null> => {
    try {
      // A photo has smaller variants, which are decoded faster.
      const source = await readImage(findPhotoSources(path)?.src ?? path);
      if (source) return await fitImage(source, size, focus);
      log.warn("share_image.without_image", { path });
    } catch (error) {
      log.warn("share_image.without_image", { path, ...errorFields(error) });
    }
    return null;
  };
  const image = card.image ? await prepare(card.image, imagePanel) : null;
  const markImage = await prepare({ path: mark }, markPlace);
  const draw = async (hasImage: boolean): Promise<string> => {
    const { label, title, lines, mark: cardMark, dateTile } = card;
    const texts = { label, title, lines, mark: cardMark, dateTile, brand, look, hasImage };
    const outcome = await runInWorker(drawCardTask, texts);
    if (outcome.kind !== "done") throw new Error(`Drawing the card took ${outcome.detail}.`);
    return outcome.value;
  };
  const markLayer = markImage ? [{ input: markImage, ...toPosition(markPlace) }] : [];
  if (image) {
    const layers = [{ input: image, ...toPosition(imagePanel) }, ...markLayer];
    return { bytes: await encode(await draw(true), layers), isFinal: markImage !== null };
  }
  const bytes = await encode(await draw(false), markLayer);
  return { bytes, isFinal: card.image === null && markImage !== null };
}

type Size = { width: number; height: number };
type Place = Size & { left: number; top: number };
type Layer = { input: Buffer; left: number; top: number };

const toPosition = ({ left, top }: Place) => ({ left, top });

const maxMegapixels = 24;

const fitImage = (source: Uint8Array, { width, height }: Size, position: FocusPoint = "center") =>
  enqueueImage("request", async (sharp) => {
    const image = await openImage(sharp, source, maxMegapixels);
    return image
      .autoOrient()
      .resize({ width, height, fit: "cover", position })
      .toColorspace("srgb")
      .png({ compressionLevel: 1 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer();
  });

/**
 * Tried in this order until the file is small enough. A drawing passes the first attempt, a photo
 * usually the second or third. Even noise passes the last one: with 16 colors, a pixel takes half a
 * byte.
 */
const attempts: PngOptions[] = [
  { quality: 100 },
  { quality: 60 },
  { quality: 30 },
  { quality: 10 },
  { colors: 16 },
];

/** Dithering is off, because it draws faint patterns on large areas of one color. */
const pngOptions: PngOptions = { palette: true, dither: 0, effort: 4, compressionLevel: 9 };

/** Combines the drawing with the layers of a card. */
const encode = (svg: string, layers: Layer[]): Promise<Uint8Array> =>
  enqueueImage("request", async (sharp) => {
    const { data, info } = await (await openImage(sharp, Buffer.from(svg), maxMegapixels))
      .composite(layers)
      .removeAlpha()
      .timeout({ seconds: timeoutSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const attempt of attempts) {
      const encoded = await sharp(data, { raw: info })
        .png({ ...pngOptions, ...attempt })
        .timeout({ seconds: timeoutSeconds })
        .toBuffer();
      if (encoded.length <= maxShareImageBytes) return encoded;
    }
    throw new Error("The share image is too large.");
  });
