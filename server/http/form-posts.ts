import type { MiddlewareHandler } from "hono";
import { unsubscribePath } from "../../app/features/newsletter/feature.server.ts";
import type { Scope } from "./visitor-limits.ts";

/** Refuses forms that a page of another site sent. */
export const refuseCrossSiteForms: MiddlewareHandler<Scope> = async (c, next) => {
  // Unsubscribing is protected by its token, and the request can come from the button of an email
  // program (RFC 8058), so the origin does not matter there.
  if (c.env.url.pathname === unsubscribePath) c.req.raw.headers.delete("origin");
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== c.env.url.origin)
    return c.text("This form was sent from another site, so we did not accept it.\n", 403);
  return next();
};
