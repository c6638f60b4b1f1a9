import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import { type FileKey, openFileCache } from "../../app/lib/images/file-cache.server.ts";
import { isIntactImage } from "../../app/lib/images/images.server.ts";
import { encodeVariants, type Variant } from "../../app/lib/images/photo-variants.server.ts";
import {
  isDrawing,
  listWidths,
  maxPhotoWidth,
  type VariantFormat,
  variantFormats,
} from "../../app/lib/images/photos.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { maxMegapixels, type SiteImages, type SitePhoto } from "./site-images.ts";

/** What a reader gets. */
export type PublicImage = { version: string; file: string };

export type PublicImages = {
  /**
   * Finds what readers get for a path within the city folder: art/crab.svg, news/pier.jpg (its
   * largest variant) or news/pier.jpg/960.avif.
   */
  find(path: string): Promise<PublicImage | null>;
  /** Encodes the photos of a file that was just saved, so that its first readers do not wait. */
  prepare(paths: string[]): Promise<void>;
};

type PublishOptions = {
  images: SiteImages;
  cacheFolder: string;
  /** The folders of Markdown files, which may contain photos. */
  photoFolders: string[];
  /** Whether a site file names the photo. Others are not public: their story was removed. */
  isNamed(photo: string): boolean;
  log: Log;
};

const cacheBytes = 2 * 1024 ** 3;
/** More variants than this are not encoded for requests at a time, so that none waits for long. */
const maxRequested = 100;
const retryAfterMs = 30_000;

const requestPath =
  /^(?<photo>(?<folder>[\w-]+)\/[\w-]+\.\w+)(?:\/(?<width>\d{1,4})\.(?<format>avif|webp|jpg|png))?$/;

/**
 * Serves the images of the city folder. A drawing is served as it is. A photo is re-encoded at
 * several widths and in several formats, because cameras make large files, and because the metadata
 * of the newsroom's file may tell where the photo was taken and by whom.
 */
export function publishImages(
  siteFolder: string,
  { images, cacheFolder, photoFolders, isNamed, log }: PublishOptions,
): PublicImages {
  /** While the disk of the city folder is not mounted, a missing photo means nothing. */
  const isRemoved = async (photo: string) =>
    !(await exists(join(siteFolder, photo))) && (await exists(dirname(join(siteFolder, photo))));
  const cache = openFileCache(cacheFolder, { maxBytes: cacheBytes, isRemoved, log });
  const inFlight = createInFlight<PublicImage | null>();
  /** When to retry variants of photos that are intact but could not be encoded or stored. */
  const retryAt = new Map<string, number>();
  let requestedCount = 0;
  cache.tidy();

  const encode = (photo: SitePhoto, variants: Variant[], priority: "page" | "background") =>
    encodeVariants(
      { ...photo, path: join(siteFolder, photo.path) },
      variants,
      maxMegapixels,
      priority,
    );

  /** Waits until a variant is encoded, and stores it. */
  async function publishVariant(
    photo: SitePhoto,
    variant: Variant,
    encoding: Promise<Uint8Array | undefined>,
  ): Promise<PublicImage | null> {
    const key = toKey(photo, variant);
    try {
      const bytes = await encoding;
      if (bytes) return { version: photo.version, file: await cache.store(key, bytes) };
      if (await isIntactImage(join(siteFolder, photo.path), maxMegapixels))
        throw new Error("The photo is intact, but it could not be encoded.");
      // Stories are shown without a damaged photo. It may also have been replaced or removed while
      // it was read.
      if (await images.markDamaged(photo))
        log.warn("image.damaged", {
          file: photo.path,
          message: "cannot be decoded: export it again",
        });
      return null;
    } catch (error) {
      // This happens, for example, if the machine is too busy or its disk is full.
      retryAt.set(toText(key), performance.now() + retryAfterMs);
      log.warn("image.not_encoded", { file: photo.path, ...errorFields(error) });
      return null;
    }
  }

  async function findVariant(photo: SitePhoto, variant: Variant): Promise<PublicImage | null> {
    const { version } = photo;
    const key = toKey(photo, variant);
    const text = toText(key);
    const file = await cache.find(key);
    if (file !== null) return { version, file };
    const isRefused = !inFlight.has(text) && requestedCount >= maxRequested;
    const isPaused = (retryAt.get(text) ?? 0) > performance.now();
    if (isPaused || isRefused) return null;
    return inFlight.share(text, () => {
      requestedCount += 1;
      const encoding = encode(photo, [variant], "page").then((all) => all?.[0]);
      return publishVariant(photo, variant, encoding).finally(() => {
        requestedCount -= 1;
      });
    });
  }

  return {
    async find(path) {
      const { photo, folder, width, format } = requestPath.exec(path)?.groups ?? {};
      if (photo === undefined || folder === undefined) return null;
      if (folder !== "art" && (!photoFolders.includes(folder) || isDrawing(photo))) return null;
      const image = await images.read(photo);
      const isWithdrawn = folder !== "art" && !isNamed(photo);
      if (image.kind !== "image" || isWithdrawn) {
        // The newsroom removes a photo, or the stories with it, from the city folder to take it down.
        if (isWithdrawn || (image.kind === "missing" && (await isRemoved(photo))))
          await cache.remove(photo).catch(() => {});
        return null;
      }
      if (image.format === "svg")
        return width === undefined
          ? { version: image.version, file: join(siteFolder, photo) }
          : null;
      return findVariant(image, chooseVariant(image, Number(width ?? maxPhotoWidth), format));
    },

    async prepare(paths) {
      for (const path of paths) {
        const photo = await images.read(path);
        if (photo.kind !== "image" || photo.format === "svg") continue;
        const missing: Variant[] = [];
        for (const variant of listVariants(photo)) {
          // Almost all readers get AVIF, and other sites get the largest variant.
          const isUsual =
            variant.format === "avif" ||
            (variant.format === photo.format && variant.width === photo.width);
          const key = toKey(photo, variant);
          if (isUsual && !inFlight.has(toText(key)) && (await cache.find(key)) === null)
            missing.push(variant);
        }
        if (missing.length === 0) continue;
        const encoding = encode(photo, missing, "background");
        // `publishVariant` reports an error, but not if readers' requests have started all of them.
        encoding.catch(() => {});
        for (const [index, variant] of missing.entries())
          inFlight.share(toText(toKey(photo, variant)), () =>
            publishVariant(
              photo,
              variant,
              encoding.then((all) => all?.[index]),
            ),
          );
      }
    },
  };
}

const toKey = (
  { path, version }: Pick<SitePhoto, "path" | "version">,
  { width, format }: Variant,
): FileKey => ({ item: path, version, name: `${width}.${format}` });

const toText = ({ item, version, name }: FileKey) => `${item} ${version} ${name}`;

function listVariants(photo: SitePhoto): Variant[] {
  const formats = new Set<VariantFormat>(["avif", "webp", photo.format]);
  return listWidths(photo.width).flatMap((width) =>
    [...formats].map((format) => ({ width, format })),
  );
}

/**
 * Chooses the variant for a request. An old page may ask for one that the photo had before it was
 * replaced.
 */
function chooseVariant(photo: SitePhoto, requestedWidth: number, extension = ""): Variant {
  const format = variantFormats.find((each) => each === extension) ?? photo.format;
  const width = listWidths(photo.width).find((each) => each >= requestedWidth) ?? photo.width;
  return {
    width,
    format: format === "avif" || format === "webp" ? format : photo.format,
  };
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
