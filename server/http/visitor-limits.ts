import type { MiddlewareHandler } from "hono";
import { isDeskPath } from "../../app/features/desk/feature.server.ts";
import { createConcurrencyLimit, createRateLimit } from "../../app/lib/http/visitors.server.ts";
import { backButtonHint } from "./forms/form-posts.ts";
import { noStore } from "./headers.ts";
import { deskLimit, formLimit, pageLimit } from "./limits.ts";
import type { Scope } from "./scope.ts";

const refuse = (status: 429 | 503, message: string, waitSeconds = 5) =>
  new Response(`${message}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Retry-After": String(waitSeconds),
      "Cache-Control": noStore,
    },
  });

/** Counts the forms and pages of visitors. The server's own requests have no visitor. */
export function createVisitorLimits() {
  const forms = createRateLimit(formLimit.rate);
  const pages = createRateLimit(pageLimit.rate);
  const desk = createRateLimit(deskLimit.rate);
  const renders = createConcurrencyLimit(pageLimit.concurrent);

  /** Refuses a visitor who sends too many forms, before any work is done. */
  const limitForms: MiddlewareHandler<Scope> = async (c, next) => {
    const waitSeconds = (isDeskPath(c.req.path) ? desk : forms).take(c.env.ipAddress);
    const message = formLimit.messages.visitor + backButtonHint(c.req.path);
    return waitSeconds > 0 ? refuse(429, message, waitSeconds) : next();
  };

  /** Refuses a visitor who requests too many pages. */
  const limitPages: MiddlewareHandler<Scope> = async (c, next) => {
    const { ipAddress, url, route } = c.env;
    const param = route?.limitedParam;
    const isLimited = param !== undefined && c.req.method !== "HEAD" && url.searchParams.has(param);
    const counter = isDeskPath(c.req.path) ? desk : pages;
    const waitSeconds = ipAddress === "" || isLimited ? 0 : counter.take(ipAddress);
    return waitSeconds > 0 ? refuse(429, pageLimit.messages.visitor, waitSeconds) : next();
  };

  /** Refuses a page if too many are being rendered, for its visitor or for all visitors. */
  const limitRenders: MiddlewareHandler<Scope> = async (c, next) => {
    const release = renders.take(c.env.ipAddress || null);
    if (!release)
      // 503 is an error of ours, because the limits of rates are meant to prevent it.
      return renders.isFull()
        ? refuse(503, pageLimit.messages.all)
        : refuse(429, pageLimit.messages.visitor);
    try {
      return await next();
    } finally {
      release();
    }
  };

  return {
    limitForms,
    limitPages,
    limitRenders,
    /** Counts a page that is rendered for all readers. Returns whether its visitor may have it. */
    admitPage: (ipAddress: string) => pages.take(ipAddress) === 0,
  };
}
