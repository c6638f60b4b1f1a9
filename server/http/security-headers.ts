import type { MiddlewareHandler } from "hono";

const always = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()",
};

const unlessSet = {
  "Cross-Origin-Resource-Policy": "same-origin",
  // Pages bring a policy of their own; whatever else is opened as a document may do nothing.
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/** For two years, only over https. */
export const strictTransport = [
  "Strict-Transport-Security",
  "max-age=63072000; includeSubDomains",
] as const;

/** For an answer that is no page at all. */
export const safetyHeaders = { ...always, ...unlessSet };

/** Safe by default: a page can only loosen what it says it needs. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  for (const [name, value] of Object.entries(always)) headers.set(name, value);
  for (const [name, value] of Object.entries(unlessSet))
    if (!headers.has(name)) headers.set(name, value);
  if (context.req.url.startsWith("https:")) headers.set(...strictTransport);
};
