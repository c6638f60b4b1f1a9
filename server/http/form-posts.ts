import type { MiddlewareHandler } from "hono";
import { unsubscribePath } from "../../app/features/newsletter/feature.server.ts";
import type { Scope } from "./visitor-limits.ts";

/** Refuses forms that a page of another site has sent. */
export const refuseCrossSiteForms: MiddlewareHandler<Scope> = async (c, next) => {
  // Its token is what counts there, and a mail program's own button is pressed on any page or none
  // (RFC 8058).
  if (c.env.url.pathname === unsubscribePath) c.req.raw.headers.delete("origin");
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== c.env.url.origin)
    return c.text("This form was sent from another site, so we did not accept it.\n", 403);
  return next();
};
