import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Clock } from "../../../lib/dates.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { safeWebAddress } from "../model.ts";
import type { BlogSource, PostHead } from "../posts/post.ts";

/**
 * A backend elsewhere. Its address comes from the configuration, so it is trusted, also on
 * loopback.
 */
type RemoteBackend = { url: string; key: string };

const answerWithinMs = 8_000;
const maxAnswerBytes = 4 * 1024 * 1024;
const freshMs = 60_000;
/** So long may an answer be given out that cannot be renewed. */
const goodMs = 24 * 60 * 60 * 1000;
/** A backend that failed is left alone for a moment. */
const retryMs = 5_000;
const keptAnswers = 1_000;
/** Many times a page of the list. */
const maxEntries = 100;

/** The backend cannot say just now. */
class BackendError extends Error {}

/** Text in whatever form others keep it: null, missing, a number. */
const words = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? ""));
const optionalWords = words.transform((value) => (value.trim() === "" ? null : value));
const link = z.unknown().optional().transform(safeWebAddress);

const remoteHead = z.object({
  id: words,
  slug: z.string().min(1).max(200),
  metaTitle: words,
  metaDescription: words,
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
    id: words,
    metaTitle: z.string().min(1),
    metaDescription: words,
    date: words,
    domain: words,
    pinterestImageLink: link,
    blog: words,
    shortTailKeywords: optionalWords,
    longTailKeywords: optionalWords,
    youtubeShortsUrl: optionalWords,
  })
  .nullable();

type Answer = { value: unknown; askedAt: number; triedAt: number };
type Memory = ReturnType<typeof createMemory>;
const createMemory = () => ({
  answers: new LRUCache<string, Answer>({ max: keptAnswers }),
  asking: createInFlight<unknown>(),
});

/** What each backend has said, for all requests of this process. */
const memories = new Map<string, Memory>();

/**
 * The blog of a backend elsewhere. An answer is kept: for a minute it is simply given again, for a
 * day it is given while it is asked for anew, so that readers neither wait for the backend nor
 * notice when it is away.
 */
export function remoteSource(backend: RemoteBackend, clock: Clock): BlogSource {
  const memory = memories.get(backend.url) ?? createMemory();
  memories.set(backend.url, memory);
  const { answers, asking } = memory;
  const now = () => clock().getTime();

  const renew = (query: string, schema: z.ZodType): Promise<unknown> =>
    asking.share(query, async () => {
      const value = await ask(backend, query, schema);
      answers.set(query, { value, askedAt: now(), triedAt: now() });
      return value;
    });

  async function find<T>(query: string, schema: z.ZodType<T>): Promise<T> {
    const known = answers.get(query);
    // Under a query there is only what its own schema has made.
    if (known && now() - known.askedAt < goodMs) {
      const isDue = now() - known.askedAt >= freshMs && now() - known.triedAt >= retryMs;
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
    changesAt: async () => null,
  };
}

async function ask<T>(backend: RemoteBackend, query: string, schema: z.ZodType<T>): Promise<T> {
  try {
    const answer = await fetch(`${backend.url.replace(/\/$/, "")}/${query}`, {
      headers: { Authorization: `Bearer ${backend.key}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new BackendError(`the blog's backend answered ${answer.status}`);
    }
    return schema.parse(JSON.parse(await readAtMost(answer, maxAnswerBytes)));
  } catch (error) {
    if (error instanceof BackendError) throw error;
    throw new BackendError(`the blog's backend gave no usable answer: ${reason(error)}`);
  }
}

async function readAtMost(answer: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BackendError("the blog's backend sent too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "not what was agreed";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
