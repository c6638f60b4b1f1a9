import { randomBytes } from "node:crypto";
import { createMiddleware } from "hono/factory";
import type { Log } from "../app/lib/log.ts";

/** What the handlers of a request find in their context: a log whose every line names the request. */
export type RequestScope = { Variables: { log: Log } };

/** One line a request. No address of the reader, no query string: what was asked is nobody's trail. */
export function requestLog(log: Log) {
  return createMiddleware<RequestScope>(async (context, next) => {
    const id = randomBytes(6).toString("hex");
    const began = performance.now();
    context.set("log", log.with({ id }));
    await next();
    context.res.headers.set("X-Request-Id", id);
    context.get("log").info("request", {
      method: context.req.method,
      path: context.req.path,
      status: context.res.status,
      ms: Math.round((performance.now() - began) * 10) / 10,
    });
  });
}
