import type { MiddlewareHandler } from "hono";
import { maxTextBytes } from "../../../app/lib/form.ts";
import type { Scope } from "../scope.ts";
import { readFormBody } from "./read-form-body.ts";

/** Refuses forms that a page of another site sent, unless the page accepts them. */
export const refuseCrossSiteForms: MiddlewareHandler<Scope> = async (c, next) => {
  // React Router checks the origin again, and accepts a form without one.
  if (c.env.route?.formFromAnySite) c.req.raw.headers.delete("origin");
  const origin = c.req.header("origin");
  const isFromOtherSite =
    !c.env.route?.formFromAnySite && c.req.header("sec-fetch-site") === "cross-site";
  if (isFromOtherSite || (origin !== undefined && origin !== c.env.url.origin))
    return c.text("This form was sent from another site, so we did not accept it.\n", 403);
  return next();
};

/** Without JavaScript the message replaces the form, so the reader has to go back to it. */
export const backButtonHint = (path: string) =>
  path.endsWith(".data") ? "" : " Use your browser's Back button to get back what you typed.";

/**
 * Receives a form before any framework does, within the limits of its page. React Router gets a
 * request without a body; an action gets the form from `readForm()` of the context.
 */
export const receiveForms: MiddlewareHandler<Scope> = async (c, next) => {
  const { files = false, formBytes = maxTextBytes } = c.env.route ?? {};
  const { url, headers, signal } = c.req.raw;
  const received = await readFormBody(c.req.raw, {
    acceptsFiles: files,
    maxBytes: formBytes,
    address: c.env.ipAddress,
  });
  if (received.kind === "refused") {
    const { status, message } = received;
    return c.text(`${message}${backButtonHint(c.req.path)}\n`, status, {
      // The rest of the body is not read, so the connection cannot be reused.
      Connection: "close",
      ...(status === 429 || status === 503 ? { "Retry-After": "60" } : {}),
    });
  }
  try {
    c.env.posted = received;
    c.req.raw = new Request(url, { method: "POST", headers, signal });
    return await next();
  } finally {
    received.end();
  }
};
