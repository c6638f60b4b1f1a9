import { carryInPage } from "../../app/edition/carry-edition.server.ts";
import type { Edition, IsPage } from "../../app/edition/edition.ts";
import { createLightPage } from "../../app/edition/light-page.server.ts";
import { bannerSlot, insertBanner } from "../../app/lib/http/banner-slot.ts";
import {
  type CachedResponse,
  type Encoding,
  encodeResponse,
  listHeaders,
  type Variant,
} from "../http/encoding.ts";
import { findEdition, pageCacheControl } from "./page-cache.ts";

/**
 * Pages with the banner use at most this much memory besides the page cache. Pages that have left
 * the cache still count, until all are dropped and the count begins again.
 */
const maxBytes = 32 * 1024 * 1024;

/**
 * An alert may end at any moment, so caches in front of the server keep a page with the banner for
 * a second only.
 */
const validSeconds = 1;

type Variants = Partial<Record<Encoding, Variant | Promise<Variant>>>;

const noBanner: Record<Edition, string> = { ordinary: "", light: "", full: "" };

export type Banner = ReturnType<typeof createBanner>;

/**
 * The banner that all pages show while there is one. A cached page is stored without the banner: it
 * is inserted and compressed when the page is requested for the first time, once per encoding.
 * Without a banner, pages are sent as they are stored.
 */
export function createBanner(isPage: IsPage) {
  let banners = noBanner;
  let version = 0;
  // The key is the uncompressed page. In a WeakMap, an entry disappears together with the page.
  let pages = new WeakMap<Variant, Variants>();
  let bytes = 0;

  function drop(): void {
    pages = new WeakMap();
    bytes = 0;
  }

  async function encode(page: CachedResponse, bare: Variant, edition: Edition, encoding: Encoding) {
    const body = Buffer.from(insertBanner(bare.body.toString(), banners[edition]));
    const headers = listHeaders(bare).map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === "cache-control" && value.startsWith("public")
        ? pageCacheControl(validSeconds)
        : value,
    ]);
    const { variants } = await encodeResponse(page.status, headers, body, [encoding]);
    const variant = variants[encoding];
    if (!variant) throw new Error(`The page was not encoded as ${encoding}.`);
    return variant;
  }

  /** The page with the banner. Concurrent requests share the work. */
  function encodeOnce(page: CachedResponse, bare: Variant, edition: Edition, encoding: Encoding) {
    const known = pages.get(bare) ?? {};
    pages.set(bare, known);
    const encoded = encode(page, bare, edition, encoding).then(
      (variant) => {
        known[encoding] = variant;
        bytes += variant.body.length;
        if (bytes > maxBytes) drop();
        return variant;
      },
      (error: unknown) => {
        delete known[encoding];
        throw error;
      },
    );
    known[encoding] = encoded;
    return encoded;
  }

  return {
    /** Shows this HTML on all pages from now on, or nothing if it is empty. */
    show(html: string): void {
      if (html === banners.ordinary) return;
      banners =
        html === ""
          ? noBanner
          : {
              ordinary: html,
              light: createLightPage(html, { search: "", isPage, head: "" }),
              full: carryInPage(html, "full", isPage),
            };
      version += 1;
      drop();
    },

    read: (edition: Edition): string => banners[edition],

    /** A number that changes with the banner. */
    version: (): number => version,

    /** Returns what to send for a page of this cache key: at once, if it was requested before. */
    addTo(page: CachedResponse, key: string, encoding: Encoding): Variant | Promise<Variant> {
      const stored = page.variants[encoding];
      const bare = page.variants.identity;
      if (!stored || !bare) throw new Error(`The page was not encoded as ${encoding}.`);
      if (banners === noBanner) return stored;
      const known = pages.get(bare)?.[encoding];
      if (known) return known;
      if (!hasBannerSlot(bare)) {
        pages.set(bare, { ...pages.get(bare), [encoding]: stored });
        return stored;
      }
      return encodeOnce(page, bare, findEdition(key), encoding);
    },
  };
}

/** Feeds and data can contain anything that people wrote, but only pages have the banner. */
const hasBannerSlot = (bare: Variant) =>
  listHeaders(bare).some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("text/html"),
  ) && bare.body.includes(bannerSlot);
