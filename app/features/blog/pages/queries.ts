import { QueryClient, useQuery } from "@tanstack/react-query";
import { parseList, parsePost, UnusableResponse } from "../contract.ts";
import {
  domainOf,
  type FullPost,
  type ListedPost,
  type OwnFields,
  type PostList,
} from "../model.ts";

const functionsPath = "/functions/v1";
const maxRetries = 3;
const firstRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;
/** A connection that was lost without notice never responds, so we do not wait any longer. */
const responseTimeoutMs = 10_000;
/** How long data that no page shows stays in the cache. */
const cacheMs = 5 * 60_000;
const freshMs = 60_000;

let browserClient: QueryClient | undefined;

/**
 * The browser keeps one cache for all visits of blog pages. On the server, each rendered page gets
 * its own, so that no reader sees what another one loaded.
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
        // By default, the library waits silently while the browser is offline. With "always", the
        // fetch fails, the page shows an error, and the browser fetches again when it reconnects.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: maxRetries,
        retryDelay: (attempt) => Math.min(firstRetryDelayMs * 2 ** attempt, maxRetryDelayMs),
        gcTime: cacheMs,
        staleTime: freshMs,
      },
    },
  });

export function usePostList(page: number, publicKey: string, initialList: PostList | null) {
  return useQuery({
    queryKey: ["blogs", page],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ domain: domainOf(location.host), page: String(page) });
      return toPostList(await callFunction(`get_metainfo?${query}`, publicKey, "blogs", signal));
    },
    ...(initialList ? { initialData: initialList } : {}),
  });
}

/**
 * `initialPost` is null if the post does not exist, and undefined if the server sent the page
 * without the post.
 */
export function usePost(slug: string, publicKey: string, initialPost: FullPost | null | undefined) {
  return useQuery({
    queryKey: ["blog", slug],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ slug });
      return toFullPost(
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
    throw new UnusableResponse();
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

function toPostList(body: unknown): PostList {
  const { items, total } = parseList(body, (item, entry): ListedPost => ({ ...entry, ...item }));
  return { blogs: items, total };
}

/** What a response with only the fields of the contract lacks. */
const noOwnFields: OwnFields = {
  dates: null,
  image: null,
  html: null,
  picture: null,
  dateText: null,
  readingMinutes: null,
  shareImage: null,
  related: [],
  older: null,
  newer: null,
};

/** Our own fields are not parsed: they come from our own server, as the page itself does. */
function toFullPost(body: unknown, slug: string): FullPost | null {
  const post = parsePost(body);
  return post && Object.assign({}, noOwnFields, body, post, { slug });
}
