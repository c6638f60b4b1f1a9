import { QueryClient, useQuery } from "@tanstack/react-query";
import { type BlogDetails, type BlogItem, type BlogList, domainOf, safeUrl } from "../model.ts";

const functionsPath = "/functions/v1";
const retries = 3;
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** What nobody shows is forgotten after this time. */
const cacheMs = 5 * 60_000;
/** What has just been read, or came with the page, is not asked for again at once. */
const freshMs = 60_000;

let browserClient: QueryClient | undefined;

/**
 * The memory of the blog: in the browser one that outlives a look at other pages, on the server one
 * for each page.
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
        // Without a connection a fetch fails at once and the page says so. The default would wait
        // in silence for as long as the browser is offline. When it is back, what failed is fetched
        // again.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures) => failures < retries && navigator.onLine,
        retryDelay: (attempt) => Math.min(firstDelayMs * 2 ** attempt, maxDelayMs),
        gcTime: cacheMs,
        staleTime: freshMs,
      },
    },
  });

/** `first` is what came with the page, if this is the page it came with. */
export function useBlogList(page: number, publicKey: string, first: BlogList | null) {
  return useQuery({
    queryKey: ["blogs", page],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ domain: domainOf(location.host), page: String(page) });
      return readList(await call(`get_metainfo?${query}`, publicKey, "blogs", signal));
    },
    ...(first ? { initialData: first } : {}),
  });
}

/**
 * `first` is undefined where the page came without the post, and null where it came to say that
 * there is none.
 */
export function useBlogDetails(
  slug: string,
  publicKey: string,
  first: BlogDetails | null | undefined,
) {
  return useQuery({
    queryKey: ["blog", slug],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ slug });
      return readDetails(await call(`get_details?${query}`, publicKey, "blog", signal), slug);
    },
    ...(first === undefined ? {} : { initialData: first }),
  });
}

async function call(
  query: string,
  publicKey: string,
  what: string,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await fetch(`${functionsPath}/${query}`, {
    headers: { Authorization: `Bearer ${publicKey}`, "Content-Type": "application/json" },
    signal,
  }).catch((error) => {
    // The browser's own words for a lost connection differ by browser and mean nothing to a reader.
    throw signal.aborted ? error : unusableResponse();
  });
  if (!answer.ok) throw new Error(`Failed to fetch ${what}: ${answer.status}`);
  return answer.json();
}

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const toText = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const toTextOrNull = (value: unknown) => toText(value) || null;
/** Only paths of our own: the page's policy would refuse any other picture. */
const ownPath = (value: unknown) =>
  typeof value === "string" && /^\/(?!\/)/.test(value) ? value : null;

/**
 * No answer, or one without what was agreed, has no message of its own, so the view says its own
 * sentence.
 */
const unusableResponse = () => new Error();

function readList(answer: unknown): BlogList {
  if (!isRecord(answer) || !Array.isArray(answer.blogs)) throw unusableResponse();
  return { blogs: answer.blogs.flatMap(readItem), total: Number(answer.total) || 0 };
}

function readItem(entry: unknown): BlogItem[] {
  if (!isRecord(entry) || toText(entry.slug) === "") return [];
  const [link, picture] = [safeUrl(entry.pinterestImageLink), ownPath(entry.picture)];
  return [
    {
      id: toText(entry.id),
      slug: toText(entry.slug),
      metaTitle: toText(entry.metaTitle),
      metaDescription: toText(entry.metaDescription),
      ...(link ? { pinterestImageLink: link } : {}),
      ...(picture ? { picture } : {}),
    },
  ];
}

function readDetails(answer: unknown, slug: string): BlogDetails | null {
  if (answer === null) return null;
  if (!isRecord(answer)) throw unusableResponse();
  return {
    slug,
    metaTitle: toText(answer.metaTitle),
    metaDescription: toText(answer.metaDescription),
    date: toText(answer.date),
    domain: toText(answer.domain),
    pinterestImageLink: safeUrl(answer.pinterestImageLink),
    blog: toText(answer.blog),
    shortTailKeywords: toTextOrNull(answer.shortTailKeywords),
    longTailKeywords: toTextOrNull(answer.longTailKeywords),
    youtubeShortsUrl: toTextOrNull(answer.youtubeShortsUrl),
    html: toTextOrNull(answer.html),
    picture: ownPath(answer.picture),
    dateText: toTextOrNull(answer.dateText),
    readingMinutes: Number(answer.readingMinutes) || null,
    related: Array.isArray(answer.related) ? answer.related.flatMap(readItem) : [],
  };
}
