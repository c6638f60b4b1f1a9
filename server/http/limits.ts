import type { MiddlewareHandler } from "hono";
import { busyMessage, maxTextBytes } from "../../app/lib/form.ts";
import {
  createConcurrencyLimit,
  createRateLimit,
  type Limit,
  type Rate,
} from "../../app/lib/http/limits.server.ts";
import { noStore } from "./headers.ts";
import type { RequestEnv } from "./request-env.ts";

// Many readers can share one IP address (an office, a school, a mobile network), so the limits of
// one visitor are far above what one person does. They only stop one client from using up what all
// others need.

/**
 * Applies to every response that is made for a request, such as a search suggestion. A page that
 * many readers request is rendered only once, so only a flood of different URLs reaches the limits
 * of all visitors.
 */
export const pageLimit = {
  what: "pages and data that are not cached",
  rate: { burst: 200, perSecond: 20, totalFactor: 10 },
  concurrent: { visitor: 50, all: 300 },
  messages: {
    visitor: "We are getting too many requests right now. Please try again in a moment.",
    all: "The site is very busy. Please try again in a moment.",
  },
} satisfies Limit;

/**
 * The desk is counted separately, so that neither a flood of requests from an office, nor the
 * drafts of its editors, which are saved every two seconds, use up the other's limit.
 */
export const deskLimit = {
  what: "pages and forms of the desk",
  rate: { burst: 300, perSecond: 20 },
  messages: { visitor: pageLimit.messages.visitor },
} satisfies Limit;

/**
 * The longest form is a list of the desk with everything checked (`pageSize` of the desk's waiting
 * list). Parsing a field costs far more than receiving it.
 */
export const maxFormFields = 100;
/**
 * The memory for forms that are arriving. The limit per visitor is lower, so that no single visitor
 * can exhaust it.
 */
export const formMemory = { visitor: 36 * 1024 * 1024, all: 72 * 1024 * 1024 };
/**
 * The time for a form to arrive, without and with files. Files must arrive at a minimum rate in
 * every period of `formMs`: even the slowest mobile networks still in use deliver 4 KB per second.
 */
export const sendTimeouts = { formMs: 30_000, filesMs: 5 * 60_000, filesBytesPerSecond: 4 * 1024 };

export const formLimit = {
  what: "forms",
  rate: { burst: 60, perSecond: 1 },
  concurrent: { visitor: 16, all: 1_000 },
  also: {
    visitor: `${formMemory.visitor >> 20} MB in memory; each ${maxTextBytes >> 10} KB, ${maxFormFields} fields and ${sendTimeouts.formMs / 1_000} seconds`,
    all: `${formMemory.all >> 20} MB in memory, above which the slowest form is dropped`,
  },
  messages: {
    visitor:
      "Too many requests from your internet connection. Please wait a minute and send your form again.",
    all: "Too many forms are arriving right now. Please wait a minute and send yours again.",
  },
} satisfies Limit;

/** Processing takes several times the memory of the files, so few forms are processed at a time. */
export const processing = { maxForms: 2, maxWaitMs: 20_000 };

export const fileFormLimit = {
  what: `forms larger than ${maxTextBytes >> 10} KB, with photos`,
  concurrent: { visitor: 2 },
  also: {
    visitor: `each ${sendTimeouts.filesMs / 60_000} minutes, at ${sendTimeouts.filesBytesPerSecond >> 10} KB per second or more; processed one after the other`,
    all: `${processing.maxForms} processed at a time, the others wait`,
  },
  messages: { visitor: busyMessage },
} satisfies Limit;

/** Without JavaScript the message replaces the form, so the reader has to go back to it. */
export const backButtonHint = (path: string) =>
  path.endsWith(".data") ? "" : " Use your browser's Back button to get back what you typed.";

const refuseRequest = (status: 429 | 503, message: string, waitSeconds = 5) =>
  new Response(`${message}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Retry-After": String(waitSeconds),
      "Cache-Control": noStore,
    },
  });

const countVisitors = ({ rate, messages }: Limit & { rate: Rate }) => ({
  countRequest: createRateLimit(rate).countRequest,
  message: messages.visitor,
});

export function createVisitorLimits(isDeskPath: (path: string) => boolean) {
  const forms = countVisitors(formLimit);
  const pages = countVisitors(pageLimit);
  const desk = countVisitors(deskLimit);
  const renders = createConcurrencyLimit(pageLimit.concurrent);

  const limitForms: MiddlewareHandler<RequestEnv> = async (c, next) => {
    const { countRequest, message } = isDeskPath(c.req.path) ? desk : forms;
    const waitSeconds = countRequest(c.env.ipAddress);
    return waitSeconds > 0
      ? refuseRequest(429, message + backButtonHint(c.req.path), waitSeconds)
      : next();
  };

  const limitPages: MiddlewareHandler<RequestEnv> = async (c, next) => {
    const { ipAddress, own } = c.env;
    const { countRequest, message } = isDeskPath(c.req.path) ? desk : pages;
    // For the page cache, `admitPage` has counted the visitor who requested the page.
    const waitSeconds = own ? 0 : countRequest(ipAddress);
    return waitSeconds > 0 ? refuseRequest(429, message, waitSeconds) : next();
  };

  /** Refuses a page if too many are being rendered, for its visitor or for all visitors. */
  const limitRenders: MiddlewareHandler<RequestEnv> = async (c, next) => {
    const release = renders.takeSlot(c.env.own ? null : c.env.ipAddress);
    if (!release)
      // 503 is an error of ours, because the limits of rates are meant to prevent it.
      return renders.isFull()
        ? refuseRequest(503, pageLimit.messages.all)
        : refuseRequest(429, pageLimit.messages.visitor);
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
    /**
     * Counts a page that is rendered for all readers. Returns whether the visitor who requested the
     * page may have it.
     */
    admitPage: (ipAddress: string) => pages.countRequest(ipAddress) === 0,
  };
}
