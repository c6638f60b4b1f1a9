import type { MiddlewareHandler } from "hono";

/** Identifies the request in the log, and for a reader who reports an error. */
export const requestIdHeader = "X-Request-Id";
export const saveDataHeader = "save-data";

export const varyHeader = (contentType: string | null | undefined) =>
  contentType?.startsWith("text/html") ? "Accept-Encoding, Save-Data" : "Accept-Encoding";

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
