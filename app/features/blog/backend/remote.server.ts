import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../../../lib/dates.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { safeUrl } from "../model.ts";
import type { BlogSource, PostHead } from "../posts/post.ts";

/**
 * A backend elsewhere. Its address comes from the configuration, so it is trusted, also on
 * loopback.
 */
type RemoteBackend = { url: string; key: string };

const responseTimeoutMs = 8_000;
const maxResponseBytes = 4 * 1024 * 1024;
const freshMs = 60_000;
/** So long may an answer be given out that cannot be renewed. */
const maxStaleMs = 24 * 60 * 60 * 1000;
/** A backend that failed is left alone for a moment. */
const retryDelayMs = 5_000;
const maxCachedResponses = 1_000;
/** Many times a page of the list. */
const maxEntries = 100;

/** The backend cannot say just now. */
class BackendError extends Error {}

/** Text in whatever form others keep it: null, missing, a number. */
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ""));
const optionalText = text.transform((value) => (value.trim() === "" ? null : value));
const link = z.unknown().optional().transform(safeUrl);

const remoteHead = z.object({
  id: text,
  slug: z.string().min(1).max(200),
  metaTitle: text,
  metaDescription: text,
  pinterestImageLink: link,
});

const remoteList = z.object({
  // One bad entry must not take the whole list with it.
  blogs: z.array(z.unknown()).transform((entries) =>
    entries.slice(0, maxEntries).flatMap((entry): PostHead[] => {
      const parsed = remoteHead.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    }),
  ),
  total: z.coerce.number().int().min(0).max(1_000_000),
});

const remotePost = z
  .object({
    id: text,
    metaTitle: z.string().min(1),
    metaDescription: text,
    date: text,
    domain: text,
    pinterestImageLink: link,
    blog: text,
    shortTailKeywords: optionalText,
    longTailKeywords: optionalText,
    youtubeShortsUrl: optionalText,
  })
  .nullable();

type CachedResponse = { value: unknown; fetchedAt: number; triedAt: number };
type Cache = ReturnType<typeof createCache>;
const createCache = () => ({
  answers: new LRUCache<string, CachedResponse>({ max: maxCachedResponses }),
  asking: createInFlight<unknown>(),
});

/** What each backend has said, for all requests of this process. */
const caches = new Map<string, Cache>();

/**
 * The blog of a backend elsewhere. An answer is kept: for a minute it is simply given again, for a
 * day it is given while it is asked for anew, so that readers neither wait for the backend nor
 * notice when it is away.
 */
export function remoteSource(backend: RemoteBackend, clock: Clock): BlogSource {
  const memory = caches.get(backend.url) ?? createCache();
  caches.set(backend.url, memory);
  const { answers, asking } = memory;
  const now = () => clock().getTime();

  const renew = (query: string, schema: z.ZodType): Promise<unknown> =>
    asking.share(query, async () => {
      const value = await fetchFromBackend(backend, query, schema);
      answers.set(query, { value, fetchedAt: now(), triedAt: now() });
      return value;
    });

  async function find<T>(query: string, schema: z.ZodType<T>): Promise<T> {
    const known = answers.get(query);
    // Under a query there is only what its own schema has made.
    if (known && now() - known.fetchedAt < maxStaleMs) {
      const isDue = now() - known.fetchedAt >= freshMs && now() - known.triedAt >= retryDelayMs;
      if (isDue && !asking.has(query)) {
        known.triedAt = now();
        renew(query, schema).catch(() => {});
      }
      return known.value as T;
    }
    return (await renew(query, schema)) as T;
  }

  const list = async (domain: string, page: number) => {
    const query = `get_metainfo?${new URLSearchParams({ domain, page: String(page) })}`;
    const { blogs, total } = await find(query, remoteList);
    return { heads: blogs, total };
  };
  return {
    list,
    async details(slug) {
      const post = await find(`get_details?${new URLSearchParams({ slug })}`, remotePost);
      return post && { ...post, slug };
    },
    recent: async (domain) => (await list(domain, 1)).heads,
    // What a backend elsewhere has scheduled, only it knows.
    nextPublishDate: async () => null,
  };
}

async function fetchFromBackend<T>(
  backend: RemoteBackend,
  query: string,
  schema: z.ZodType<T>,
): Promise<T> {
  try {
    const answer = await fetch(`${backend.url.replace(/\/$/, "")}/${query}`, {
      headers: { Authorization: `Bearer ${backend.key}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new BackendError(`the blog's backend answered ${answer.status}`);
    }
    return schema.parse(JSON.parse(await readLimited(answer, maxResponseBytes)));
  } catch (error) {
    if (error instanceof BackendError) throw error;
    throw new BackendError(`the blog's backend gave no usable answer: ${errorMessage(error)}`);
  }
}

async function readLimited(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BackendError("the blog's backend sent too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function errorMessage(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "not what was agreed";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
