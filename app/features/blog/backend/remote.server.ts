import { LRUCache } from "lru-cache";
import type { Clock } from "../../../lib/dates.ts";
import { createInFlight } from "../../../lib/http/in-flight.server.ts";
import { parseList, parsePost, UnusableResponse } from "../contract.ts";
import { type PostHead, type PostSource, typesetPost } from "../posts/post.ts";

/** The URL comes from the configuration, so we trust it even if it points to this machine. */
type RemoteBackend = { url: string; key: string };

const responseTimeoutMs = 8_000;
const maxResponseBytes = 4 * 1024 * 1024;
const freshMs = 60_000;
/** How long we serve a cached response that cannot be refreshed. */
const maxStaleMs = 24 * 60 * 60 * 1000;
const retryDelayMs = 5_000;
const maxCachedResponses = 1_000;

class BackendError extends Error {}

type Parse<T> = (body: unknown) => T;

const parseHeads = (body: unknown) =>
  parseList(body, (item): PostHead => typesetPost({ ...item, image: null }));

const parseTypeset = (body: unknown) => {
  const post = parsePost(body);
  return post && typesetPost(post);
};

const responses = new LRUCache<
  string,
  { value: unknown; fetchedAt: number; lastAttemptAt: number }
>({ max: maxCachedResponses });
const inFlight = createInFlight<unknown>();

/**
 * A response is fresh for a minute. After that we serve it for up to a day and refresh it in the
 * background, so that readers neither wait for the backend nor notice when it is down.
 */
export function remotePostSource({ url: baseUrl, key }: RemoteBackend, clock: Clock): PostSource {
  const now = () => clock().getTime();

  const refresh = (url: string, parse: Parse<unknown>): Promise<unknown> =>
    inFlight.share(url, async () => {
      const value = await fetchFromBackend(url, key, parse);
      responses.set(url, { value, fetchedAt: now(), lastAttemptAt: now() });
      return value;
    });

  async function load<T>(name: string, query: Record<string, string>, parse: Parse<T>): Promise<T> {
    const url = `${baseUrl.replace(/\/$/, "")}/${name}?${new URLSearchParams(query)}`;
    const cached = responses.get(url);
    if (cached && now() - cached.fetchedAt < maxStaleMs) {
      const isDue =
        now() - cached.fetchedAt >= freshMs && now() - cached.lastAttemptAt >= retryDelayMs;
      if (isDue && !inFlight.has(url)) {
        cached.lastAttemptAt = now();
        refresh(url, parse).catch(() => {});
      }
      // The type is right: the response of a URL is always parsed by the same function.
      return cached.value as T;
    }
    return (await refresh(url, parse)) as T;
  }

  const list = async (domain: string, page: number) => {
    const query = { domain, page: String(page) };
    const { items, total } = await load("get_metainfo", query, parseHeads);
    return { heads: items, total };
  };
  return {
    list,
    async find(slug) {
      const post = await load("get_details", { slug }, parseTypeset);
      return post && { ...post, slug, image: null, isFile: false };
    },
    recent: async (domain) => (await list(domain, 1)).heads,
  };
}

async function fetchFromBackend<T>(url: string, key: string, parse: Parse<T>): Promise<T> {
  try {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new BackendError(`the blog's backend responded with status ${response.status}`);
    }
    return parse(JSON.parse(await readLimited(response, maxResponseBytes)));
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
  if (error instanceof UnusableResponse) return "unexpected format";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
