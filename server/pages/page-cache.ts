import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { createInFlight } from "../../app/lib/http/in-flight.server.ts";
import { gauge, type MetricGroup } from "../../app/lib/metrics.ts";
import { requestIdHeader } from "../http/headers.ts";
import { strictTransport } from "../http/security-headers.ts";

export type Encoding = "identity" | "gzip" | "br";

/** A finished answer: the same for every reader, so its bytes and its headers are made once. */
export type Page = { status: number; variants: Record<Encoding, Variant> };

/**
 * The answer in one encoding. Headers are name, value, name, value, as Node sends them with the
 * least work; the last value is the request's own name, put in just before they are sent. `secure`
 * ones are for readers who came by https.
 */
type Variant = { body: Buffer; etag: string; headers: { plain: string[]; secure: string[] } };

/** What a render gives: the answer, what it was made of, and whether others may have it too. */
export type Rendered = {
  page: Page;
  tags: ReadonlySet<string>;
  storable: boolean;
  /** When the page stops being true, in the time of `now`. */
  expiresAt?: number;
};

type Entry = {
  page: Page;
  tags: ReadonlySet<string>;
  bytes: number;
  freshUntil: number;
  expiresAt: number;
  usedAt: number;
};

type PageCacheOptions = {
  maxBytes: number;
  /** Within this time a page is simply answered. */
  freshMs: number;
  /** Within this longer time it is answered and made anew behind the reader's back. */
  maxStaleMs: number;
  now(): number;
  onError(error: unknown): void;
};

/** How long a page that could not be made anew is left alone before the next try. */
const retryMs = 5_000;

/**
 * The part of the cache that pages with parameters may take. There are far more combinations of
 * values than anybody reads, so a program that asks for all of them pushes out only pages of this
 * kind.
 */
const paramPagesShare = 1 / 4;
const hasParams = (key: string) => key.includes("?");

/**
 * Which page was used last matters to the second, no finer: noting it costs more than finding the
 * page.
 */
const usedAtPrecisionMs = 1_000;

export type PageCache = ReturnType<typeof createPageCache>;

/**
 * Keeps rendered pages in memory. A reader waits for a render only when nobody has asked before.
 */
export function createPageCache({ maxBytes, freshMs, maxStaleMs, now, onError }: PageCacheOptions) {
  // A Map remembers the order of insertion: the first is the one that was used longest ago.
  const entries = new Map<string, Entry>();
  const rendering = createInFlight<Rendered>();
  const purgedAt = new Map<string, number>();
  const maxBytesWithParams = maxBytes * paramPagesShare;
  let bytes = 0;
  let bytesWithParams = 0;
  let running = 0;
  let turn = 0;
  let clearedAt = 0;

  function remove(key: string): void {
    const size = entries.get(key)?.bytes ?? 0;
    bytes -= size;
    if (hasParams(key)) bytesWithParams -= size;
    entries.delete(key);
  }

  function store(
    key: string,
    { page, tags, expiresAt = Number.POSITIVE_INFINITY }: Rendered,
  ): void {
    const size = sizeOf(key, page);
    remove(key);
    if (size > (hasParams(key) ? maxBytesWithParams : maxBytes)) return;
    const time = now();
    entries.set(key, {
      page,
      tags,
      bytes: size,
      freshUntil: time + freshMs,
      expiresAt: Math.min(time + maxStaleMs, expiresAt),
      usedAt: time,
    });
    bytes += size;
    if (hasParams(key)) bytesWithParams += size;
    for (const oldest of entries.keys()) {
      const hasTooManyWithParams = bytesWithParams > maxBytesWithParams;
      if (bytes <= maxBytes && !hasTooManyWithParams) return;
      if (!hasTooManyWithParams || hasParams(oldest)) remove(oldest);
    }
  }

  /** Whether something the page was made of has changed since its render began. */
  const isOutdated = (tags: ReadonlySet<string>, began: number) =>
    clearedAt > began || [...tags].some((tag) => (purgedAt.get(tag) ?? 0) > began);

  const render = (key: string, make: () => Promise<Rendered>): Promise<Rendered> =>
    rendering.share(key, async () => {
      turn += 1;
      running += 1;
      const began = turn;
      try {
        const rendered = await make();
        if (rendered.storable && !isOutdated(rendered.tags, began)) store(key, rendered);
        return rendered;
      } finally {
        running -= 1;
        if (running === 0) purgedAt.clear();
      }
    });

  function renew(key: string, entry: Entry, make: () => Promise<Rendered>): void {
    render(key, make).then(
      ({ page, storable }) => {
        if (storable || entries.get(key) !== entry) return;
        // A server error leaves the old page standing; any other answer says that the page is no
        // more.
        if (page.status >= 500) entry.freshUntil = now() + retryMs;
        else remove(key);
      },
      (error) => {
        entry.freshUntil = now() + retryMs;
        onError(error);
      },
    );
  }

  return {
    has: (key: string) => entries.has(key),

    /** The page, if it is there and good. A stale one is given out too, and made anew meanwhile. */
    find(key: string, make: () => Promise<Rendered>): Page | null {
      const entry = entries.get(key);
      if (!entry) return null;
      const time = now();
      if (time >= entry.expiresAt) {
        remove(key);
        return null;
      }
      if (time - entry.usedAt >= usedAtPrecisionMs) {
        entry.usedAt = time;
        entries.delete(key);
        entries.set(key, entry);
      }
      if (time >= entry.freshUntil && !rendering.has(key)) renew(key, entry, make);
      return entry.page;
    },

    /** Renders the page, once however many ask for it at the same time. */
    make: async (key: string, make: () => Promise<Rendered>): Promise<Page> =>
      (await render(key, make)).page,

    /** Forgets every page that was made of one of these. */
    purge(tags: Iterable<string>): void {
      turn += 1;
      const gone = new Set(tags);
      for (const tag of gone) purgedAt.set(tag, turn);
      for (const [key, entry] of entries) if (!gone.isDisjointFrom(entry.tags)) remove(key);
      // Those who ask from now on must not be given a render that began before the change.
      rendering.detach();
    },

    /**
     * Pages may be outdated and nobody knows which: each is given out once more at most before it
     * is made anew.
     */
    expire(): void {
      for (const entry of entries.values()) entry.freshUntil = 0;
    },

    clear(): void {
      turn += 1;
      clearedAt = turn;
      entries.clear();
      rendering.detach();
      bytes = 0;
      bytesWithParams = 0;
    },

    size: () => ({ pages: entries.size, bytes }),
  };
}

export const cacheMetrics = (cache: PageCache, maxBytes: number): MetricGroup => ({
  name: "page cache",
  read() {
    const { pages, bytes } = cache.size();
    return [
      gauge("harborline_page_cache_pages", "Pages in memory.", pages),
      gauge("harborline_page_cache_bytes", "Memory that these pages take.", bytes),
      gauge("harborline_page_cache_max_bytes", "Memory that pages may take.", maxBytes),
    ];
  },
});

/** Headers that each encoding has its own of. */
const variantHeaders = new Set(["vary", "etag", "content-length", "content-encoding"]);

/** Compresses a body in both ways, at a strength that is worth it once a page is kept. */
export async function encodePage(
  status: number,
  headers: Iterable<[string, string]>,
  body: Buffer,
): Promise<Page> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    promisify(gzip)(body),
  ]);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const shared = [...headers].filter(([name]) => !variantHeaders.has(name.toLowerCase())).flat();
  const form = (encoding: Encoding, bytes: Buffer): Variant => {
    const etag = `"${hash}-${encoding}"`;
    const all = [
      ...shared,
      "Vary",
      "Accept-Encoding",
      "ETag",
      etag,
      "Content-Length",
      String(bytes.length),
      ...(encoding === "identity" ? [] : ["Content-Encoding", encoding]),
    ];
    const plain = [...all, requestIdHeader, ""];
    const secure = [...all, ...strictTransport, requestIdHeader, ""];
    return { body: bytes, etag, headers: { plain, secure } };
  };
  return {
    status,
    variants: { identity: form("identity", body), gzip: form("gzip", zipped), br: form("br", br) },
  };
}

const sizeOf = (key: string, { variants: forms }: Page) =>
  Object.values(forms).reduce(
    (sum, { body, headers }) => sum + body.length + headers.secure.join("").length,
    key.length,
  );
