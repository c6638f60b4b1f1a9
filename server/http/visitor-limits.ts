import type { MiddlewareHandler } from "hono";
import { searchPath, suggestPath } from "../../app/features/search/feature.server.ts";
import { maxTextBytes, receiveBody } from "../../app/lib/http/form-body.server.ts";
import {
  createConcurrencyLimit,
  createRateLimit,
  type RateLimit,
} from "../../app/lib/http/visitors.server.ts";
import { pagePath } from "../../app/lib/links/page-path.ts";
import { noStore } from "./freshness.ts";

/**
 * What a handler knows of its request beside the request itself: its name in the log, its address
 * in parts, its sender.
 */
export type Scope = { Bindings: { id: string; url: URL; ipAddress: string } };

/**
 * How much one visitor may ask for of what costs work each time. Many readers can share one address
 * (an office, a school, a mobile network), so these are far above what a person does; they stop one
 * client from using up what all others need.
 */
const rates = {
  forms: createRateLimit({ burst: 60, perSecond: 1 }),
  suggestions: createRateLimit({ burst: 100, perSecond: 10 }),
  functions: createRateLimit({ burst: 200, perSecond: 20 }),
  readiness: createRateLimit({ burst: 60, perSecond: 5 }),
  /**
   * Pages that are not in memory and are rendered for one reader alone, such as one with a form.
   */
  ownPages: createRateLimit({ burst: 200, perSecond: 10 }),
};

type Limit = { rate: RateLimit; sentence: string; isJson?: boolean };

const tooMany = "That is a lot from one internet connection.";
const limitOfForms: Limit = {
  rate: rates.forms,
  sentence: `${tooMany} Please wait a minute and send your form again.`,
};
const limitsByPath: [path: string, limit: Limit][] = [
  [suggestPath, { rate: rates.suggestions, sentence: tooMany, isJson: true }],
  [
    "/functions/",
    { rate: rates.functions, sentence: `${tooMany} Try again in a moment.`, isJson: true },
  ],
  ["/readyz", { rate: rates.readiness, sentence: `${tooMany} Once a second is enough.` }],
];

const limitAt = (asked: string) =>
  limitsByPath.find(([path]) =>
    path.endsWith("/") ? asked.startsWith(path) : asked.replace(/\/+$/, "") === path,
  )?.[1];

/**
 * The number of pages that are rendered for one visitor at the same time. A browser asks for a few;
 * a program could ask for thousands.
 */
const pagesAtOnce = createConcurrencyLimit(50);

/**
 * The number of pages that are rendered at the same time for all visitors together: each holds what
 * it was made of in memory. A page that many ask for is rendered once, so that this many are a
 * flood of different addresses.
 */
const pagesAtOnceInAll = 300;

export function limitConcurrentRenders(inAll = pagesAtOnceInAll): MiddlewareHandler<Scope> {
  let rendering = 0;
  return async (c, next) => {
    const { ipAddress: address, url } = c.env;
    // Search and what is in the table above have limits of their own.
    const path = pagePath(decodeURIComponent(url.pathname)).toLowerCase();
    const isCounted =
      address !== "" && c.req.method !== "POST" && !limitAt(path) && path !== searchPath;
    const waitSeconds = isCounted ? rates.ownPages.take(address) : 0;
    if (waitSeconds > 0)
      return c.text(`${tooMany} Please try again in a moment.\n`, 429, {
        "Retry-After": String(waitSeconds),
        "Cache-Control": noStore,
      });
    // A page that is rendered for everybody has no visitor.
    const leave = address === "" ? () => {} : pagesAtOnce.take(address);
    // Forms have a limit of their own for all visitors, and wait for their senders.
    const isPage = c.req.method !== "POST";
    if (!leave || (isPage && rendering >= inAll)) {
      leave?.();
      const headers = { "Retry-After": "5", "Cache-Control": noStore };
      return c.text("Too many pages at once. Please try again in a moment.\n", 503, headers);
    }
    if (isPage) rendering += 1;
    try {
      return await next();
    } finally {
      if (isPage) rendering -= 1;
      leave();
    }
  };
}

/** Refuses a visitor who asks for too much, before any work is done. */
export const limitVisitors: MiddlewareHandler<Scope> = async (c, next) => {
  const { ipAddress: address, url } = c.env;
  const limit =
    c.req.method === "POST"
      ? limitOfForms
      : limitAt(pagePath(decodeURIComponent(url.pathname)).toLowerCase());
  // A page that is rendered for everybody has no visitor.
  const waitSeconds = limit && address !== "" ? limit.rate.take(address) : 0;
  if (!limit || waitSeconds === 0) return next();
  const headers = { "Retry-After": String(waitSeconds), "Cache-Control": noStore };
  if (limit.isJson) return c.json({ error: limit.sentence }, 429, headers);
  const hint = limit === limitOfForms ? backHint(url.pathname) : "";
  return c.text(`${limit.sentence}${hint}\n`, 429, headers);
};

/** Without JavaScript this sentence replaces the form; otherwise the form is still there. */
const backHint = (path: string) =>
  path.endsWith(".data") ? "" : " The Back button of your browser brings back what you typed.";

const noMemory =
  "More is being sent to us than we can hold. Please wait a minute and send your form again.";

/**
 * Reads the body of a form of texts before any framework does, within the limits of its page: so
 * nothing is parsed that cannot be a form of ours. A form with files reads its body itself, see
 * receiveUpload.
 */
export const limitFormBodies =
  (
    pageAt: (
      path: string,
    ) => { files?: boolean | undefined; formBytes?: number | undefined } | null,
  ): MiddlewareHandler<Scope> =>
  async (c, next) => {
    const policy = pageAt(c.req.path);
    if (c.req.method !== "POST" || policy?.files) return next();
    const { raw } = c.req;
    const room = policy?.formBytes ?? maxTextBytes;
    const type = raw.headers.get("content-type") ?? "";
    const body = await receiveBody(raw, {
      type,
      room,
      maxReadBytes: room,
      address: c.env.ipAddress,
    });
    // What is still on its way is not read, so the connection is of no more use.
    const refuse = (sentence: string, status: 400 | 413 | 503) =>
      c.text(`${sentence}${backHint(c.req.path)}\n`, status, {
        Connection: "close",
        ...(status === 503 ? { "Retry-After": "60" } : {}),
      });
    if (body.kind === "refused") return refuse(body.sentence, body.status);
    try {
      if (body.kind !== "whole") return refuse(noMemory, 503);
      const { url, headers, signal } = raw;
      c.req.raw = new Request(url, { method: "POST", headers, signal, body: body.bytes });
      return await next();
    } finally {
      body.end();
    }
  };
