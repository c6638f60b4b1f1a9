import { createHash } from "node:crypto";
import { matchesEtag } from "../../lib/http/if-none-match.server.ts";
import { artPath } from "../../lib/images/art.ts";
import { errorFields } from "../../lib/log.ts";
import type { Services } from "../../platform/services.ts";
import {
  type ReadOwnImage,
  type ShareCard,
  type ShareImages,
  type ShareKind,
  shareKinds,
  type WasImageRemoved,
} from "../../platform/share-card.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { lookFile } from "../brand/look-file.server.ts";
import { describeShareImage, shareImageVersion, splitName } from "./describe.server.ts";
import { renderShareImage } from "./render.server.ts";
import { createStore, shareImageLimit } from "./store.server.ts";

const maxIdLength = 300;

/**
 * The path contains a version, so the image at a path never changes. The limit is a week, so that a
 * photo that the newsroom takes down disappears from caches too.
 */
const cacheForOneWeek = "public, max-age=604800, immutable";
/** For a share image whose photo is missing now, but may be back later. */
const cacheForFiveMinutes = "public, max-age=300";

type Options = {
  /** Returns null if readers cannot open the page. */
  findCard(kind: ShareKind, id: string): Promise<ShareCard | null>;
  readImage: ReadOwnImage;
  wasRemoved: WasImageRemoved;
  cacheFolder: string;
};

/**
 * Makes only the current image of a page. A request for any other image causes no work beyond a
 * lookup.
 */
export function createShareImages(
  { site, log, runInWorker }: Pick<Services, "site" | "log" | "runInWorker">,
  { findCard, readImage, wasRemoved, cacheFolder }: Options,
): ShareImages {
  const store = createStore({ folder: cacheFolder, log });

  return {
    async respond({ kind: requested, id, file }, { ifNoneMatch, ipAddress }) {
      const kind = shareKinds.find((each) => each === requested);
      if (!kind || id.length > maxIdLength) return notFound();
      const key = `${kind}-${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
      const found = await findCard(kind, id).catch((error: unknown) => {
        log.warn("share_image.no_card", { kind, id, ...errorFields(error) });
        return "unavailable" as const;
      });
      if (found === "unavailable")
        return askToRetry(
          "This image is not available right now. Please try again in a minute.",
          60,
        );
      if (!found) return notFound();
      // A post in the database can name a photo that the newsroom has taken down since.
      const isPhotoGone = found.image !== null && (await wasRemoved(found.image.path));
      const card = isPhotoGone ? { ...found, image: null } : found;
      const version = shareImageVersion(site, card);
      if (file !== `${version}.png`)
        return redirect(describeShareImage(site, { kind, id, card }).path);
      const etag = `"${version}"`;
      const headers = { ETag: etag, "Cache-Control": cacheForOneWeek };
      if (matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
      const settings = site.read(siteSettingsFile);
      const image = await store.get({ key, version }, ipAddress, () =>
        renderShareImage({ runInWorker, log, readImage }, card, {
          brand: splitName(settings),
          look: site.read(lookFile),
          mark: artPath(settings.mark),
        }),
      );
      if (image === "busy") return askToRetry(shareImageLimit.messages.visitor, 10);
      if (image === "failed") return redirect(artPath(settings.shareImage.file));
      return new Response(new Uint8Array(image.bytes), {
        headers: {
          "Content-Type": "image/png",
          "Cross-Origin-Resource-Policy": "cross-origin",
          ...(image.isFinal ? headers : { "Cache-Control": cacheForFiveMinutes }),
        },
      });
    },
  };
}

const plainText = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

const notFound = () =>
  new Response("This image was not found.\n", { status: 404, headers: plainText });

/**
 * Responds with 503 instead of a redirect to the general image, because other sites would store
 * that image and not try again.
 */
const askToRetry = (message: string, seconds: number) =>
  new Response(`${message}\n`, {
    status: 503,
    headers: { ...plainText, "Retry-After": String(seconds) },
  });

const redirect = (path: string) =>
  new Response(null, { status: 302, headers: { Location: path, "Cache-Control": "no-cache" } });
