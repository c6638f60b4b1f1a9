import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../../../lib/dates.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { truncateAtWord } from "../../../lib/text/truncate-at-word.ts";
import { isUsableSlug, safeUrl } from "../model.ts";
import { type BlogSource, noNotes, type PostHead } from "../posts/post.ts";

/**
 * An external backend. Its URL comes from the configuration, so we trust it and may send requests
 * to it even if it is on this machine.
 */
type RemoteBackend = { url: string; key: string };

const responseTimeoutMs = 8_000;
const maxResponseBytes = 4 * 1024 * 1024;
const freshMs = 60_000;
/** How long we serve a cached response that cannot be refreshed. */
const maxStaleMs = 24 * 60 * 60 * 1000;
/** How long we wait after a failed refresh before the next attempt. */
const retryDelayMs = 5_000;
const maxCachedResponses = 1_000;
/**
 * The maximum number of posts that we read from one response. It is several times the number of
 * posts on a page of the list.
 */
const maxEntries = 100;

/** The backend cannot be reached, or its response is not usable. */
class BackendError extends Error {}

/** Text as backends send it: a string, a number, null or missing. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ""));
/** The limits for our own posts: see postFields. */
const maxTitleLength = 300;
const maxDescriptionLength = 1_000;
/** Long titles would be repeated many times in each page. */
const truncated = (maxLength: number) => (value: string) =>
  value.length <= maxLength
    ? value
    : truncateAtWord(
        value
          .slice(0, maxLength * 2)
          .replaceAll(/\s+/g, " ")
          .trim(),
        maxLength,
      );
const title = truncated(maxTitleLength);
const description = truncated(maxDescriptionLength);
const optionalText = text.transform((value) => (value.trim() === "" ? null : value));
const link = z.unknown().optional().transform(safeUrl);

const remoteHead = z.object({
  id: text,
  slug: z.string().refine(isUsableSlug),
  metaTitle: text.transform(title),
  metaDescription: text.transform(description),
  pinterestImageLink: link,
});

const remoteList = z.object({
  // One invalid entry must not make the whole list unusable.
  blogs: z.array(z.unknown()).transform((entries) =>
    entries.slice(0, maxEntries).flatMap((entry): PostHead[] => {
      const parsed = remoteHead.safeParse(entry);
      return parsed.success ? [{ ...parsed.data, image: noNotes.image }] : [];
    }),
  ),
  total: z.coerce.number().int().min(0).max(1_000_000),
});

/** Another Harborline site sends these fields as we do; other backends do not have them. */
const remoteNotes = {
  author: z.array(z.string().trim().min(1).max(100)).max(10).catch([]),
  updated: z.string().max(100).nullable().catch(null),
  corrections: z
    .array(z.object({ date: z.string().max(100), text: z.string().max(1_000) }))
    .max(50)
    .catch([]),
};

const remotePost = z
  .object({
    ...remoteNotes,
    id: text,
    metaTitle: z.string().min(1).transform(title),
    metaDescription: text.transform(description),
    date: text,
    domain: text,
    pinterestImageLink: link,
    blog: text,
    shortTailKeywords: optionalText,
    longTailKeywords: optionalText,
    youtubeShortsUrl: optionalText,
  })
  .nullable();

type CachedResponse = { value: unknown; fetchedAt: number; lastAttemptAt: number };
type Cache = ReturnType<typeof createCache>;
const createCache = () => ({
  responses: new LRUCache<string, CachedResponse>({ max: maxCachedResponses }),
  inFlight: createInFlight<unknown>(),
});

/** The responses of each backend, by its URL, shared by all requests in this process. */
const caches = new Map<string, Cache>();

/**
 * Reads the blog from an external backend. A response is fresh for a minute. After that we serve it
 * for up to a day while we refresh it in the background, so that readers neither wait for the
 * backend nor notice when it is down.
 */
export function remoteSource(backend: RemoteBackend, clock: Clock): BlogSource {
  const cache = caches.get(backend.url) ?? createCache();
  caches.set(backend.url, cache);
  const { responses, inFlight } = cache;
  const now = () => clock().getTime();

  const refresh = (query: string, schema: z.ZodType): Promise<unknown> =>
    inFlight.share(query, async () => {
      const value = await fetchFromBackend(backend, query, schema);
      responses.set(query, { value, fetchedAt: now(), lastAttemptAt: now() });
      return value;
    });

  async function load<T>(query: string, schema: z.ZodType<T>): Promise<T> {
    const cached = responses.get(query);
    if (cached && now() - cached.fetchedAt < maxStaleMs) {
      const isDue =
        now() - cached.fetchedAt >= freshMs && now() - cached.lastAttemptAt >= retryDelayMs;
      if (isDue && !inFlight.has(query)) {
        cached.lastAttemptAt = now();
        refresh(query, schema).catch(() => {});
      }
      // The type is right: a query is always parsed with the same schema.
      return cached.value as T;
    }
    return (await refresh(query, schema)) as T;
  }

  const list = async (domain: string, page: number) => {
    const query = `get_metainfo?${new URLSearchParams({ domain, page: String(page) })}`;
    const { blogs, total } = await load(query, remoteList);
    return { heads: blogs, total };
  };
  return {
    list,
    async details(slug) {
      const post = await load(`get_details?${new URLSearchParams({ slug })}`, remotePost);
      return post && { ...post, slug, image: noNotes.image, isFile: false };
    },
    recent: async (domain) => (await list(domain, 1)).heads,
    // An external backend does not say what it has scheduled.
    nextPublishDate: async () => null,
  };
}

async function fetchFromBackend<T>(
  backend: RemoteBackend,
  query: string,
  schema: z.ZodType<T>,
): Promise<T> {
  try {
    const response = await fetch(`${backend.url.replace(/\/$/, "")}/${query}`, {
      headers: { Authorization: `Bearer ${backend.key}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new BackendError(`the blog's backend responded with status ${response.status}`);
    }
    return schema.parse(JSON.parse(await readLimited(response, maxResponseBytes)));
  } catch (error) {
    if (error instanceof BackendError) throw error;
    throw new BackendError(`the blog's backend sent no usable response: ${errorMessage(error)}`);
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new BackendError(`the blog's backend sent more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function errorMessage(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "unexpected format";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
