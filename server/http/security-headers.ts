import type { MiddlewareHandler } from "hono";

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

/** Tells browsers to use only HTTPS for two years. */
export const strictTransportHeader = [
  "Strict-Transport-Security",
  "max-age=63072000; includeSubDomains",
] as const;

/** The security headers of responses that are not pages. */
export const safetyHeaders = { ...fixedHeaders, ...defaultHeaders };

/** Sets the security headers of a response. A page can replace only the `defaultHeaders`. */
export function setSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(fixedHeaders)) headers.set(name, value);
  for (const [name, value] of Object.entries(defaultHeaders))
    if (!headers.has(name)) headers.set(name, value);
}

export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  setSecurityHeaders(headers);
  if (context.req.url.startsWith("https:")) headers.set(...strictTransportHeader);
};
