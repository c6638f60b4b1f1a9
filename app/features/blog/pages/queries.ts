import { QueryClient, useQuery } from "@tanstack/react-query";
import type { ShownDate } from "../../../lib/article-dates.ts";
import { isRecord } from "../../../lib/is-record.ts";
import type { Photo } from "../../../site-files/site-fields.server.ts";
import type { ShareImage } from "../../share-images/model.ts";
import {
  type BlogDetails,
  type BlogItem,
  type BlogList,
  domainOf,
  isUsableSlug,
  type PostDates,
  safeUrl,
} from "../model.ts";

const functionsPath = "/functions/v1";
const maxRetries = 3;
const firstRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;
/** A connection that was lost without notice never responds, so we do not wait any longer. */
const responseTimeoutMs = 10_000;
/** How long data that no page shows stays in the cache. */
const cacheMs = 5 * 60_000;
/** How long data is fresh; fresh data is not fetched again. */
const freshMs = 60_000;

let browserClient: QueryClient | undefined;

/**
 * Returns the query cache of the blog. The browser has one cache, which survives visits to other
 * pages. On the server, every rendered page gets a new cache.
 */
export function queryClient(): QueryClient {
  if (typeof window === "undefined") return createClient();
  browserClient ??= createClient();
  return browserClient;
}

const createClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // When the browser is offline, a fetch fails at once, and after the retries the page shows
        // an error. By default, the library would wait silently until the browser is online again.
        // Failed fetches are repeated when the browser reconnects.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: maxRetries,
        retryDelay: (attempt) => Math.min(firstRetryDelayMs * 2 ** attempt, maxRetryDelayMs),
        gcTime: cacheMs,
        staleTime: freshMs,
      },
    },
  });

/** `initialList` is the list that the server sent with this page; null if it sent none. */
export function useBlogList(page: number, publicKey: string, initialList: BlogList | null) {
  return useQuery({
    queryKey: ["blogs", page],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ domain: domainOf(location.host), page: String(page) });
      return readList(await callFunction(`get_metainfo?${query}`, publicKey, "blogs", signal));
    },
    ...(initialList ? { initialData: initialList } : {}),
  });
}

/**
 * `initialPost` is the post that the server sent with the page: null if the post does not exist,
 * undefined if the server sent the page without it.
 */
export function useBlogDetails(
  slug: string,
  publicKey: string,
  initialPost: BlogDetails | null | undefined,
) {
  return useQuery({
    queryKey: ["blog", slug],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ slug });
      return readDetails(
        await callFunction(`get_details?${query}`, publicKey, "blog", signal),
        slug,
      );
    },
    ...(initialPost === undefined ? {} : { initialData: initialPost }),
  });
}

async function callFunction(
  query: string,
  publicKey: string,
  content: string,
  signal: AbortSignal,
): Promise<unknown> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), responseTimeoutMs);
  // Every browser has its own message for a lost connection, and none helps a reader.
  const replaceError = (error: unknown) => {
    if (signal.aborted) throw error;
    throw unusableResponse();
  };
  try {
    const response = await fetch(`${functionsPath}/${query}`, {
      headers: { Authorization: `Bearer ${publicKey}`, "Content-Type": "application/json" },
      signal: AbortSignal.any([signal, timeout.signal]),
    }).catch(replaceError);
    if (!response.ok) throw new Error(`Failed to fetch ${content}: ${response.status}`);
    return await response.json().catch(replaceError);
  } finally {
    clearTimeout(timer);
  }
}

const toText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const toTextOrNull = (value: unknown) => toText(value) || null;
/** Only paths on our own server: the content security policy blocks all other images. */
const ownPath = (value: unknown) =>
  typeof value === "string" && /^\/(?!\/)/.test(value) ? value : null;

/**
 * The error for a missing response, or one that does not match the contract. It has no message, so
 * the page shows its default message.
 */
const unusableResponse = () => new Error();

function readList(body: unknown): BlogList {
  if (!isRecord(body) || !Array.isArray(body.blogs)) throw unusableResponse();
  return { blogs: body.blogs.flatMap(readItem), total: Number(body.total) || 0 };
}

function readItem(entry: unknown): BlogItem[] {
  if (!isRecord(entry) || !isUsableSlug(toText(entry.slug))) return [];
  const [link, pinImage] = [safeUrl(entry.pinterestImageLink), ownPath(entry.picture)];
  const image = readPhoto(entry.image);
  return [
    {
      id: toText(entry.id),
      slug: toText(entry.slug),
      metaTitle: toText(entry.metaTitle),
      metaDescription: toText(entry.metaDescription),
      ...(link ? { pinterestImageLink: link } : {}),
      ...(pinImage ? { picture: pinImage } : {}),
      ...(image ? { image } : {}),
    },
  ];
}

function readShareImage(value: unknown): ShareImage | null {
  const path = isRecord(value) ? ownPath(value.path) : null;
  if (!isRecord(value) || path === null) return null;
  const [width, height] = [Number(value.width) || 0, Number(value.height) || 0];
  return { path, width, height, alt: toText(value.alt) };
}

/** The photo of a post on our own server. */
function readPhoto(value: unknown): Photo | null {
  const file = isRecord(value) ? ownPath(value.file) : null;
  if (!isRecord(value) || file === null) return null;
  return {
    file,
    alt: toText(value.alt),
    width: Number(value.width) || 0,
    height: Number(value.height) || 0,
    caption: toTextOrNull(value.caption),
    credit: toTextOrNull(value.credit),
  };
}

const readDate = (value: unknown): ShownDate | null =>
  isRecord(value) && toText(value.text) !== ""
    ? { text: toText(value.text), iso: toText(value.iso) }
    : null;

/** Only our own server sends the dates as readers see them. */
function readDates(value: unknown): PostDates | null {
  const published = isRecord(value) ? readDate(value.published) : null;
  if (!isRecord(value) || !published) return null;
  return {
    published,
    updated: readDate(value.updated),
    modified: toText(value.modified),
    corrections: toList(value.corrections).flatMap((entry) => {
      const date = isRecord(entry) ? readDate(entry.date) : null;
      return isRecord(entry) && date ? [{ date, text: toText(entry.text) }] : [];
    }),
  };
}

function readDetails(body: unknown, slug: string): BlogDetails | null {
  if (body === null) return null;
  if (!isRecord(body)) throw unusableResponse();
  return {
    slug,
    metaTitle: toText(body.metaTitle),
    metaDescription: toText(body.metaDescription),
    date: toText(body.date),
    domain: toText(body.domain),
    pinterestImageLink: safeUrl(body.pinterestImageLink),
    blog: toText(body.blog),
    shortTailKeywords: toTextOrNull(body.shortTailKeywords),
    longTailKeywords: toTextOrNull(body.longTailKeywords),
    youtubeShortsUrl: toTextOrNull(body.youtubeShortsUrl),
    author: toList(body.author).map(toText).filter(Boolean),
    updated: toTextOrNull(body.updated),
    corrections: toList(body.corrections).flatMap((entry) =>
      isRecord(entry) ? [{ date: toText(entry.date), text: toText(entry.text) }] : [],
    ),
    dates: readDates(body.dates),
    image: readPhoto(body.image),
    html: typeof body.html === "string" ? body.html : null,
    picture: ownPath(body.picture),
    dateText: toTextOrNull(body.dateText),
    readingMinutes: Number(body.readingMinutes) || null,
    shareImage: readShareImage(body.shareImage),
    related: toList(body.related).flatMap(readItem),
  };
}
