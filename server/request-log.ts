import { randomBytes } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Log } from "../app/lib/log.ts";

/** One line a request. No address of the reader, no query string: what was asked is nobody's trail. */
export function requestLog(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const id = randomBytes(6).toString("hex");
    const began = performance.now();
    await next();
    context.res.headers.set("X-Request-Id", id);
    log.info("request", {
      id,
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: Math.round((performance.now() - began) * 10) / 10,
    });
  };
}
