import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import { everyTag } from "../../db/purge.ts";
import {
  allEncodings,
  compress,
  type Encoding,
  requestIdHeader,
  strictTransportHeader,
  varyHeader,
} from "../http/headers.ts";
import type { CacheRules } from "../http/request-env.ts";
import { hasParams } from "./page-key.ts";

/**
 * A finished response: of a page, or of a file such as a feed. It is the same for every reader, so
 * its bytes and headers are created once.
 */
export type CachedResponse = { status: number; variants: Partial<Record<Encoding, Variant>> };

/**
 * The response in one encoding. Headers are a flat list of names and values, because Node sends
 * that with the least work. The last value is the request id, filled in just before sending. The
 * `secure` headers are for readers who use HTTPS.
 */
export type Variant = {
  body: Buffer;
  etag: string;
  headers: { plain: string[]; secure: string[] };
};

export type RenderResult = Omit<CacheRules, "isPublic"> & {
  page: CachedResponse;
  /** The key under which the page is stored, which many paths can share. Null if it is not stored. */
  storeAs: string | null;
};

type Render = (key: string) => Promise<RenderResult>;

type Entry = {
  page: CachedResponse;
  tags: ReadonlySet<string>;
  freshUntil: number;
  expiresAt: number;
};

type PageCacheOptions = {
  maxBytes: number;
  /** How long a page is served without rendering it again. */
  maxFreshMs: number;
  /**
   * How long after its render a page may be served at all. Once it is stale, it is rendered again
   * in the background.
   */
  maxStaleMs: number;
  now(): number;
  onError(error: unknown): void;
};

/** How long the cache waits before it retries a render that failed. */
const retryMs = 5_000;

/**
 * The share of the cache that pages with parameters may use. The values of parameters have far more
 * combinations than readers ever open, so a program that requests all of them evicts only pages
 * with parameters.
 */
const maxParamPagesShare = 1 / 4;

export type PageCache = ReturnType<typeof createPageCache>;

/**
 * Caches rendered pages in memory. A reader waits for a render only if the page is not in the
 * cache.
 */
export function createPageCache({
  maxBytes,
  maxFreshMs,
  maxStaleMs,
  now,
  onError,
}: PageCacheOptions) {
  const createStore = (maxSize: number) =>
    new LRUCache<string, Entry>({
      maxSize,
      sizeCalculation: ({ page }, key) => countBytes(key, page),
    });
  const pagesWithParams = createStore(maxBytes * maxParamPagesShare);
  const otherPages = createStore(maxBytes * (1 - maxParamPagesShare));
  const stores = [pagesWithParams, otherPages];
  const storeOf = (key: string) => (hasParams(key) ? pagesWithParams : otherPages);
  const inFlight = createInFlight<RenderResult>();
  const purgedAt = new Map<string, number>();
  let runningRenders = 0;
  /**
   * A counter that orders renders and purges. `purgedAt` and `clearedAt` contain its values, not
   * times.
   */
  let sequence = 0;
  let clearedAt = 0;

  function clear(): void {
    sequence += 1;
    clearedAt = sequence;
    for (const each of stores) each.clear();
    inFlight.detach();
  }

  function store(key: string, { page, tags, expiresAt, freshMs }: RenderResult): void {
    const time = now();
    storeOf(key).set(key, {
      page,
      tags,
      freshUntil: time + Math.min(freshMs, maxFreshMs),
      expiresAt: Math.min(time + maxStaleMs, expiresAt),
    });
  }

  /** Whether a tag of the page was purged since its render started. */
  const isOutdated = (tags: ReadonlySet<string>, startedAt: number) =>
    clearedAt > startedAt || [...tags].some((tag) => (purgedAt.get(tag) ?? 0) > startedAt);

  const renderOnce = (key: string, render: Render): Promise<RenderResult> =>
    inFlight.share(key, async () => {
      sequence += 1;
      runningRenders += 1;
      const startedAt = sequence;
      try {
        const rendered = await render(key);
        if (rendered.storeAs !== null && !isOutdated(rendered.tags, startedAt))
          store(rendered.storeAs, rendered);
        return rendered;
      } finally {
        runningRenders -= 1;
        if (runningRenders === 0) purgedAt.clear();
      }
    });

  function renderAgain(key: string, entry: Entry, render: Render): void {
    renderOnce(key, render).then(
      ({ page, storeAs }) => {
        if (storeAs === key || storeOf(key).peek(key) !== entry) return;
        // After a server error the stale page stays. Any other response that is not stored for this
        // key means that the page is gone.
        if (page.status >= 500) entry.freshUntil = now() + retryMs;
        else storeOf(key).delete(key);
      },
      (error) => {
        entry.freshUntil = now() + retryMs;
        onError(error);
      },
    );
  }

  return {
    has: (key: string) => storeOf(key).has(key),

    /**
     * Returns the page if it is cached and has not expired. A stale page is returned too, and
     * rendered again in the background.
     */
    find(key: string, render: Render): CachedResponse | null {
      const entry = storeOf(key).get(key);
      if (!entry) return null;
      const time = now();
      if (time >= entry.expiresAt) {
        storeOf(key).delete(key);
        return null;
      }
      if (time >= entry.freshUntil && !inFlight.has(key)) renderAgain(key, entry, render);
      return entry.page;
    },

    findFresh(key: string): CachedResponse | null {
      const entry = storeOf(key).get(key);
      return entry && now() < Math.min(entry.freshUntil, entry.expiresAt) ? entry.page : null;
    },

    /** Renders the page. Concurrent calls for the same page share one render. */
    render: renderOnce,

    purge(tags: readonly string[]): void {
      if (tags.includes(everyTag)) {
        clear();
        return;
      }
      sequence += 1;
      const purged = new Set(tags);
      for (const tag of purged) purgedAt.set(tag, sequence);
      for (const each of stores)
        for (const [key, entry] of [...each.entries()])
          if (!purged.isDisjointFrom(entry.tags)) each.delete(key);
      // Later requests must not share a render that started before the change.
      inFlight.detach();
    },

    /**
     * Marks all pages as stale, because purges may have been missed. The next request for each page
     * still gets the old page, and triggers a render.
     */
    markStale(): void {
      for (const each of stores) for (const entry of each.values()) entry.freshUntil = 0;
    },

    clear,

    size: () => ({
      pages: pagesWithParams.size + otherPages.size,
      bytes: pagesWithParams.calculatedSize + otherPages.calculatedSize,
    }),
  };
}

export const cacheMetrics = (cache: PageCache): MetricGroup => ({
  name: "page cache",
  read: () => [
    gauge("harborline_page_cache_bytes", "Memory that the page cache uses.", cache.size().bytes),
  ],
});

const variantHeaders = new Set(["vary", "etag", "content-length", "content-encoding"]);

const brotliQuality = 6;

export async function encodePage<Wanted extends Encoding = Encoding>(
  status: number,
  headers: Iterable<[string, string]>,
  body: Buffer,
  encodings: readonly (Wanted | Encoding)[] = allEncodings,
): Promise<CachedResponse & { variants: Record<Wanted, Variant> }> {
  const version = hash("sha256", body, "base64url").slice(0, 22);
  const list = [...headers];
  const vary = varyHeader(list.find(([name]) => name.toLowerCase() === "content-type")?.[1]);
  const shared = list.filter(([name]) => !variantHeaders.has(name.toLowerCase())).flat();
  const createVariant = async (encoding: Encoding) => {
    const bytes = await compress(body, encoding, brotliQuality);
    const etag = `"${version}-${encoding}"`;
    const common = [
      ...shared,
      "Vary",
      vary,
      "ETag",
      etag,
      "Content-Length",
      String(bytes.length),
      ...(encoding === "identity" ? [] : ["Content-Encoding", encoding]),
    ];
    const plain = [...common, requestIdHeader, ""];
    const secure = [...common, ...strictTransportHeader, requestIdHeader, ""];
    return [encoding, { body: bytes, etag, headers: { plain, secure } }] as const;
  };
  const variants = Object.fromEntries(await Promise.all(encodings.map(createVariant)));
  return { status, variants: variants as Record<Wanted, Variant> };
}

/** The names and values of the headers, without the request id at their end. */
export const listHeaders = ({ headers: { plain } }: Variant): [string, string][] =>
  plain
    .slice(0, -2)
    .flatMap((name, index, all) => (index % 2 ? [] : [[name, all[index + 1] ?? ""]]));

const countBytes = (key: string, { variants }: CachedResponse) =>
  Object.values(variants).reduce(
    (sum, { body, headers }) => sum + body.length + headers.secure.join("").length,
    key.length,
  );
