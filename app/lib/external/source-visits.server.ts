import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { gauge, type Metric } from "../metrics.ts";
import type { FetchResult } from "./safe-fetch.server.ts";

/** How often we may ask a server that we read from by the clock, whatever it serves. */
const minute = 60_000;
export const minIntervalMs = 15 * minute;
/**
 * A source that allows more is asked at least so often, so that its readers are not a day behind.
 */
const maxIntervalMs = 3 * 60 * minute;
/** One that fails is still asked once a day, for ever: sites come back. */
const maxRetryWaitMs = 24 * 60 * minute;

/** Why a source gave nothing, for the status page. */
export const causeTexts = {
  blocked: "refuses us",
  gone: "is no longer there",
  moved: "sends us round in circles",
  "not-readable": "answered with something that cannot be read",
  empty: "answered with nothing in it",
  timeout: "took too long",
  "too-large": "is too large",
  tls: "has no valid certificate",
  dns: "has a name that cannot be found",
  busy: "asked us to wait",
  broken: "is out of order",
  unreachable: "cannot be reached",
  "not-allowed": "has an address that is not public",
  "too-slow-to-read": "sent something that takes too long to read",
  "too-big-to-read": "sent something that needs too much memory to read",
} as const;
export type Cause = keyof typeof causeTexts;

/** What the public may know of a source: how it is, since when, and when we ask again. */
export type SourceHealth = {
  id: string;
  name: string;
  sections: string[];
  state: "good" | "failing" | "not-asked-yet";
  /** In words: "refuses us (answered 403)". */
  cause: string | null;
  causeKey: Cause | null;
  lastSuccess: Date | null;
  lastTry: Date | null;
  nextTry: Date | null;
  items: number;
};

/**
 * The health of all sources of a kind in figures. A source is not named: a city may have hundreds.
 */
export function sourceMetrics(
  kind: "feed" | "calendar",
  sources: SourceHealth[],
  now: Date,
): Metric[] {
  const states = ["good", "failing", "not-asked-yet"] as const;
  const newest = Math.max(...sources.map(({ lastSuccess }) => lastSuccess?.getTime() ?? 0));
  return [
    gauge(
      `harborline_${kind}_sources`,
      `Sources (${kind}) by state.`,
      states.map((state) => ({
        labels: { state },
        value: sources.filter((source) => source.state === state).length,
      })),
    ),
    gauge(
      `harborline_${kind}_newest_success_age_seconds`,
      `Time since any source (${kind}) was read successfully.`,
      newest > 0 ? (now.getTime() - newest) / 1_000 : null,
    ),
  ];
}

/** What is known of a source between two visits. */
export type Validators = {
  etag: string | null;
  lastModified: string | null;
  bodyHash: string | null;
};

export type VisitResult =
  | {
      kind: "new";
      body: Uint8Array;
      url: string;
      type: string;
      visit: Validators;
      movedTo: string | null;
      waitMs: number;
    }
  | { kind: "same"; movedTo: string | null; waitMs: number; visit: Validators }
  | { kind: "failed"; cause: Cause; detail: string; waitMs: number | null };

/** The headers of a conditional request. */
export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { "If-None-Match": etag }),
    ...(lastModified === null ? {} : { "If-Modified-Since": lastModified }),
  };
}

/** Reads an answer as a visit: what is new, and when we may come again. */
/** An answer whose reading had to be stopped; `detail` names the limit it passed. */
export const toUnreadableResult = ({
  kind,
  detail,
}: {
  kind: "too-slow" | "too-big";
  detail: string;
}) => ({
  kind: "failed" as const,
  cause: `${kind}-to-read` as const,
  detail,
  waitMs: null,
});

export function toVisitResult(fetched: FetchResult, before: Validators, now: Date): VisitResult {
  if (fetched.kind === "failed") {
    const cause = damaged.test(fetched.detail) ? "not-readable" : failureCauses[fetched.cause];
    return { kind: "failed", cause, detail: plainDetail(fetched.detail), waitMs: null };
  }
  const { status, headers, body, url, movedTo = null } = fetched;
  if (status === 304) {
    // Callers pass their whole record of a source and write the visit back, so the rest of that
    // record stays out of it.
    const { etag, lastModified, bodyHash } = before;
    return {
      kind: "same",
      visit: { etag, lastModified, bodyHash },
      movedTo,
      waitMs: allowedWait(headers),
    };
  }
  if (status !== 200) {
    const cause = statusCause(status);
    return {
      kind: "failed",
      cause,
      detail: `answered ${status}`,
      waitMs: retryAfter(headers, now),
    };
  }
  const visit = {
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
    bodyHash: createHash("sha256").update(body).digest("base64"),
  };
  const common = { visit, movedTo, waitMs: allowedWait(headers) };
  // Many servers ignore the conditions and send the same bytes again.
  if (visit.bodyHash === before.bodyHash) return { kind: "same", ...common };
  return { kind: "new", body, url, type: headers.get("content-type") ?? "", ...common };
}

const failureCauses = {
  "bad-address": "not-allowed",
  "blocked-address": "not-allowed",
  offline: "unreachable",
  dns: "dns",
  tls: "tls",
  timeout: "timeout",
  "too-large": "too-large",
  connection: "unreachable",
  redirects: "moved",
} as const;

/** Codes of zlib and Brotli. */
const damaged = /^Z_[A-Z_]+$|^ERR__ERROR_|BROTLI/;

/** What the codes of Node and OpenSSL mean, for people. */
const codes: [RegExp, string][] = [
  [damaged, "sent compressed data that is damaged"],
  [/^(?:ENOTFOUND|ENODATA)$/, "its name does not exist"],
  [/^(?:EAI_\w+|ESERVFAIL|EREFUSED)$/, "its name could not be looked up"],
  [/^ECONNREFUSED$/, "refused the connection"],
  [/^ETIMEDOUT$/, "did not accept the connection in time"],
  [/^(?:EHOST|ENET)\w+$|^EADDRNOTAVAIL$/, "its server cannot be reached from here"],
  [/^(?:ECONN\w+|EPIPE|ERR_STREAM_\w+|aborted|socket hang up)$/, "closed the connection too early"],
  [/^HPE_\w+$/, "answered with something that is not HTTP"],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet"],
  [/ALTNAME/, "its certificate is for another name"],
  [/SELF_SIGNED/, "its certificate is signed by nobody we trust"],
  [/^UNABLE_TO_\w+$/, "its certificate cannot be traced to an authority we trust"],
  [/^[A-Z_]*(?:CERT|TLS|SSL|EPROTO)[A-Z_]*$/, "a secure connection could not be made"],
  [/^[A-Z][A-Z0-9]*(?:_[A-Z0-9_]+)?$/, "the connection failed"],
];

const plainDetail = (detail: string) => codes.find(([code]) => code.test(detail))?.[1] ?? detail;

function statusCause(status: number): Cause {
  if (status === 401 || status === 403 || status === 451) return "blocked";
  if (status === 404 || status === 410) return "gone";
  if (status === 429 || status === 503) return "busy";
  if (status >= 300 && status < 400) return "moved";
  return "broken";
}

/** RFC 9111: how long the answer counts as fresh, within our own bounds. */
function allowedWait(headers: Headers): number {
  const seconds = /(?:^|[,\s])(?:s-maxage|max-age)=(\d{1,9})/i.exec(
    headers.get("cache-control") ?? "",
  )?.[1];
  return Math.min(Math.max(Number(seconds ?? 0) * 1000, minIntervalMs), maxIntervalMs);
}

/** RFC 9110: seconds, or a date. Null where the server says nothing that can be read. */
function retryAfter(headers: Headers, now: Date): number | null {
  const value = headers.get("retry-after")?.trim();
  if (!value) return null;
  const waitMs = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(waitMs) && waitMs > 0 ? waitMs : null;
}

/**
 * When to ask again. `spread` (0 to 1) keeps sources that began together from coming back together.
 */
export function nextVisitTime(
  now: Date,
  visited: VisitResult,
  failuresInARow: number,
  spread: number,
): Date {
  const backOff = minIntervalMs * 2 ** Math.min(failuresInARow - 1, 20);
  const wait =
    visited.kind === "failed"
      ? Math.min(Math.max(visited.waitMs ?? 0, backOff), maxRetryWaitMs)
      : visited.waitMs;
  return new Date(now.getTime() + wait * (1 + 0.1 * spread));
}

const maxConcurrentHosts = 8;

/** Several hosts at a time, but one request at a time to each of them. */
export async function forEachOnePerHost<T>(
  items: T[],
  addressOf: (item: T) => string,
  visit: (item: T) => Promise<void>,
): Promise<void> {
  const hosts = Map.groupBy(items, (item) => URL.parse(addressOf(item))?.host ?? "").values();
  await pLimit(maxConcurrentHosts).map(hosts, async (sameHost) => {
    for (const item of sameHost) await visit(item);
  });
}
