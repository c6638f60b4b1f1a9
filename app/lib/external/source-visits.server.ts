import { createHash } from "node:crypto";
import pLimit from "p-limit";
import type { FetchResult } from "./safe-fetch.server.ts";

const minute = 60_000;

export type Pace = {
  /** The shortest and the longest interval between two visits. The source's headers decide. */
  minMs: number;
  maxMs: number;
  /** The longest wait after failures, unless the source asks for a longer one. */
  maxRetryMs: number;
  /**
   * Whether up to a tenth is added to each interval, so that sources that were visited together are
   * not visited together again.
   */
  isSpread?: boolean;
};

/** A source that keeps failing is still visited once a day, because it may work again. */
const maxWaitMs = 24 * 60 * minute;
const firstRetryMs = 15 * minute;
/** The longest interval is short, so that readers do not see old news. */
export const feedPace: Pace = {
  minMs: 15 * minute,
  maxMs: 3 * 60 * minute,
  maxRetryMs: maxWaitMs,
};

/** Why a source could not be read, after "it". */
export const causeTexts = {
  blocked: "blocks our requests",
  gone: "no longer exists",
  moved: "redirects in a loop",
  "not-readable": "sent something that cannot be read",
  empty: "sent an empty document",
  timeout: "took too long to respond",
  "too-large": "is too large",
  tls: "has no valid certificate",
  dns: "has a host name that cannot be found",
  busy: "asked us to wait",
  broken: "returned an error",
  unreachable: "cannot be reached",
  "not-allowed": "has a URL that is not public",
  "too-slow-to-read": "sent something that takes too long to read",
  "too-big-to-read": "sent something that needs too much memory to read",
  stale: "has sent nothing new for too long",
} as const;
export type Cause = keyof typeof causeTexts;

export type SourceHealth = {
  id: string;
  name: string;
  sections: string[];
  state: "good" | "failing" | "not-asked-yet";
  cause: string | null;
  causeKey: Cause | null;
  lastSuccess: Date | null;
  lastTry: Date | null;
  nextTry: Date | null;
  items: number;
};

/** For people, after "it": "blocks our requests (HTTP status 403)". */
export const describeCause = (cause: Cause, detail: string | null) =>
  `${causeTexts[cause]}${detail ? ` (${detail})` : ""}`;

/** What we store between two visits, to detect whether a source has changed. */
type Validators = {
  etag: string | null;
  lastModified: string | null;
  bodyHash: string | null;
};

type Visited = { validators: Validators; movedTo: string | null; waitMs: number };

export type VisitFailure = {
  kind: "failed";
  cause: Cause;
  detail: string;
  waitMs?: number | null;
  /** The feed that a web page names, if the URL leads to a page. */
  feedUrl?: string;
};

export type VisitResult =
  | ({ kind: "new"; body: Uint8Array; url: string; type: string } & Visited)
  | ({ kind: "same" } & Visited)
  | VisitFailure;

export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

/**
 * Returns whether the content of a source is new, and when we may visit the source again.
 * `previous` has the validators of the last visit.
 */
export function toVisitResult(fetched: FetchResult, previous: Validators, now: Date): VisitResult {
  if (fetched.kind === "failed") {
    const cause = damagedData.test(fetched.detail) ? "not-readable" : failureCauses[fetched.cause];
    return { kind: "failed", cause, detail: fetched.detail };
  }
  const { status, headers, body, url, movedTo = null } = fetched;
  const common = { movedTo, waitMs: readFreshness(headers) };
  if (status === 304) {
    const detail = "HTTP status 304, although we have never read it";
    return previous.bodyHash === null
      ? { kind: "failed", cause: "broken", detail }
      : { kind: "same", validators: previous, ...common };
  }
  if (status !== 200) {
    const waitMs = readRetryAfter(headers, now);
    return { kind: "failed", cause: toCause(status), detail: `HTTP status ${status}`, waitMs };
  }
  const validators = {
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
    bodyHash: createHash("sha256").update(body).digest("base64"),
  };
  // Many servers ignore conditional headers and send the same bytes again.
  if (validators.bodyHash === previous.bodyHash) return { kind: "same", validators, ...common };
  return { kind: "new", body, url, type: headers.get("content-type") ?? "", validators, ...common };
}

const failureCauses = {
  "bad-address": "not-allowed",
  "blocked-address": "not-allowed",
  offline: "unreachable",
  dns: "dns",
  tls: "tls",
  timeout: "timeout",
  "too-large": "too-large",
  encoding: "not-readable",
  connection: "unreachable",
  redirects: "moved",
} as const;

/** The error codes of zlib and Brotli for damaged data. */
const damagedData = /^Z_[A-Z_]+$|^ERR__ERROR_|BROTLI/;

function toCause(status: number): Cause {
  if (status === 401 || status === 403 || status === 451) return "blocked";
  if (status === 404 || status === 410) return "gone";
  if (status === 429 || status === 503) return "busy";
  if (status >= 300 && status < 400) return "moved";
  return "broken";
}

/** Returns how long the response is fresh according to RFC 9111. */
function readFreshness(headers: Headers): number {
  const seconds = /(?:^|[,\s])(?:s-maxage|max-age)=(\d{1,9})/i.exec(
    headers.get("cache-control") ?? "",
  )?.[1];
  return Number(seconds ?? 0) * 1000;
}

/** The header Retry-After contains seconds or a date (RFC 9110). */
function readRetryAfter(headers: Headers, now: Date): number | null {
  const value = headers.get("retry-after")?.trim();
  if (!value) return null;
  const waitMs = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : null;
}

/** Returns when to visit a source again. `spread` is the share (0 to 1) of the added tenth. */
export function nextVisitTime(
  now: Date,
  visited: VisitResult,
  failuresInARow: number,
  { minMs, maxMs, maxRetryMs }: Pace,
  spread = 0,
): Date {
  const backOff = Math.min(firstRetryMs, minMs) * 2 ** Math.min(failuresInARow - 1, 20);
  const wait =
    visited.kind === "failed"
      ? Math.min(Math.max(visited.waitMs ?? 0, Math.min(backOff, maxRetryMs)), maxWaitMs)
      : Math.min(Math.max(visited.waitMs, minMs), maxMs);
  return new Date(now.getTime() + wait * (1 + 0.1 * spread));
}

/** Returns what is stored after a visit. `previousFailures` is the number of failures in a row. */
export function recordVisit(visited: VisitResult, previousFailures: number, now: Date, pace: Pace) {
  const spread = pace.isSpread ? Math.random() : 0;
  const failures = visited.kind === "failed" ? previousFailures + 1 : 0;
  const nextAttemptAt = nextVisitTime(now, visited, failures, pace, spread);
  const common = { checkedAt: now, failures, nextAttemptAt };
  if (visited.kind === "failed") return { ...common, cause: visited.cause, detail: visited.detail };
  // The columns are listed, because at runtime `validators` may be a complete row of a table.
  const { etag, lastModified, bodyHash } = visited.validators;
  return { ...common, etag, lastModified, bodyHash, lastSuccessAt: now, cause: null, detail: null };
}

/**
 * The latest time that `nextVisitTime` can return. If a later time is stored, the clock was wrong,
 * and this must not stop the visits.
 */
export const latestVisitTime = (now: Date): Date => new Date(now.getTime() + 1.1 * maxWaitMs);

const maxConcurrentHosts = 8;

/** Visits several hosts at a time, but sends only one request at a time to each host. */
export async function forEachOnePerHost<T>(
  items: T[],
  toUrl: (item: T) => string,
  visit: (item: T) => Promise<void>,
): Promise<void> {
  const hosts = Map.groupBy(items, (item) => URL.parse(toUrl(item))?.host ?? "").values();
  await pLimit(maxConcurrentHosts).map(hosts, async (itemsOfHost) => {
    for (const item of itemsOfHost) await visit(item);
  });
}
