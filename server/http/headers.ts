import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";

/** Identifies the request in the log, and for a reader who reports an error. */
export const requestIdHeader = "X-Request-Id";
export const saveDataHeader = "save-data";

export const varyHeader = (contentType: string | null | undefined) =>
  contentType?.startsWith("text/html") ? "Accept-Encoding, Save-Data" : "Accept-Encoding";

/** After this time a page is rendered again; until that is done, readers get the stale page. */
export const pageFreshMs = 60_000;
/**
 * How long a page may be shown if it cannot be rendered again, for example while the database is
 * unavailable.
 */
export const maxStaleMs = 24 * 60 * 60 * 1000;

/** The names of build files change with their content, so caches never have to revalidate. */
export const buildFileCacheControl = "public, max-age=31536000, immutable";
/**
 * The URL of an image contains its version, so it could be cached forever. But an image that an
 * editor removes has to disappear from caches too.
 */
export const imageCacheControl = "public, max-age=86400, immutable";
/** An editor may replace videos and documents, so browsers revalidate them now and then. */
export const replaceableFileCacheControl = "public, max-age=600, stale-while-revalidate=86400";
export const noStore = "no-store";

/**
 * Returns the Cache-Control header of a page whose content stays correct for this long. The page
 * cache stores it with the page, so a cache in front of the server may keep the page up to a minute
 * longer. Browsers always ask: with stale-while-revalidate they would show an ended alert, or the
 * text before a correction, to a reader who comes back.
 */
export function pageCacheControl(validSeconds: number): string {
  const fresh = Math.max(0, Math.min(pageFreshMs / 1000, validSeconds));
  return `public, max-age=0, s-maxage=${fresh}, stale-if-error=${maxStaleMs / 1000}`;
}

export const allEncodings = ["identity", "gzip", "br"] as const;
export type Encoding = (typeof allEncodings)[number];

/** A higher Brotli quality takes longer, and pays off for content that is sent often. */
export async function compress(
  body: Buffer,
  encoding: Encoding,
  brotliQuality: number,
): Promise<Buffer> {
  switch (encoding) {
    case "identity":
      return body;
    case "gzip":
      return promisify(gzip)(body);
    case "br":
      return promisify(brotliCompress)(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
      });
  }
}

const preferredEncodings = ["br", "gzip"] as const satisfies Encoding[];

/** Browsers send only a handful of different headers, so each header is parsed once. */
const encodingByHeader = new Map<string, Encoding>();
const maxCachedHeaders = 100;

export function chooseEncoding(header: string): Encoding {
  const cached = encodingByHeader.get(header);
  if (cached) return cached;
  const encoding = preferredEncodings.find((candidate) => allows(header, candidate)) ?? "identity";
  if (encodingByHeader.size < maxCachedHeaders) encodingByHeader.set(header, encoding);
  return encoding;
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}

const fixedHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()",
};

const defaultHeaders = {
  "Cross-Origin-Resource-Policy": "same-origin",
  // Pages set their own policy. Anything else that is opened as a document may load and run
  // nothing.
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

export const strictTransportHeader = [
  "Strict-Transport-Security",
  "max-age=63072000; includeSubDomains",
] as const;

export const safetyHeaders = { ...fixedHeaders, ...defaultHeaders };

/** Sets the security headers of a response. A page can replace only the `defaultHeaders`. */
export const setSecurityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(fixedHeaders)) headers.set(name, value);
  for (const [name, value] of Object.entries(defaultHeaders))
    if (!headers.has(name)) headers.set(name, value);
};
