import type { IncomingMessage, ServerResponse } from "node:http";
import { matchesEtag } from "../../app/lib/http/if-none-match.server.ts";
import { createRateLimit } from "../../app/lib/http/visitors.server.ts";
import { errorFields, type Log } from "../../app/lib/log.ts";
import { acceptedEncoding } from "../http/accepted-encoding.ts";
import { noStore } from "../http/freshness.ts";
import { forwardedForHeader, requestIdHeader, tagsHeader } from "../http/headers.ts";
import { clientIpAddress } from "../http/public-origin.ts";
import { safetyHeaders } from "../http/security-headers.ts";
import type { Proxies } from "../site/proxies.ts";
import { encodePage, type Page, type PageCache, type Rendered } from "./page-cache.ts";
import type { PagePolicy } from "./route-table.ts";

type Options = {
  cache: PageCache;
  log: Log;
  proxies: Proxies;
  /** The policy of the page at a path; null where there is none. */
  pageAt(path: string): PagePolicy | null;
  fetch(request: Request, id: string): Response | Promise<Response>;
};

/** How a request was answered: from the cache, by a render, or not by us at all. */
type PageResult = "hit" | "miss" | null;

/**
 * A person's pages are in memory already, or nearly so. One program that makes up addresses would
 * keep us rendering.
 */
const rendersPerVisitor = { burst: 120, perSecond: 10 };
const tooMany = "That is a lot from one internet connection. Please try again in a moment.\n";

/**
 * Answers a page that is the same for every reader, before any framework sees the request. The
 * render gets nothing of the reader's: just the path and the parameters its route has declared, so
 * that nobody can poison what others see.
 */
export function servePages({ cache, log, proxies, pageAt, fetch }: Options) {
  const renders = createRateLimit(rendersPerVisitor);
  return (request: IncomingMessage, response: ServerResponse, id: string): PageResult => {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    const target = request.url ?? "";
    // The key of a page without parameters is its address: no need to ask the routes.
    const key = cache.has(target) ? target : pageKey(target, pageAt);
    if (key === null) return null;
    const make = () => render(key, id, fetch);
    const connected = request.socket.remoteAddress ?? "";
    const secure = request.headers["x-forwarded-proto"] === "https" && proxies.include(connected);
    const page = cache.find(key, make);
    if (page) {
      sendPage(page, request, response, secure, id);
      return "hit";
    }
    const forwardedFor = String(request.headers[forwardedForHeader] ?? "");
    const waitSeconds = renders.take(
      clientIpAddress(forwardedFor, connected, proxies.include(connected)),
    );
    if (waitSeconds > 0) {
      const headers = { ...safetyHeaders, "Retry-After": waitSeconds, "Cache-Control": noStore };
      response.writeHead(429, {
        ...headers,
        [requestIdHeader]: id,
        "Content-Type": "text/plain; charset=utf-8",
      });
      response.end(tooMany);
      return "miss";
    }
    cache.make(key, make).then(
      (made) => sendPage(made, request, response, secure, id),
      (error) => {
        log.error("page.failed", { id, path: key, ...errorFields(error) });
        response.destroy();
      },
    );
    return "miss";
  };
}

/**
 * The path with the parameters that the page declares, in the order of the declaration; null for
 * what is no page.
 */
export function pageKey(target: string, pageAt: Options["pageAt"]): string | null {
  const [path = "", query] = target.split("?", 2);
  const policy = pageAt(path);
  if (policy?.cache !== "public") return null;
  if (query === undefined) return path;
  const given = new URLSearchParams(query);
  // A part of a page's data, which only its own page asks for. Anywhere else it is a parameter like
  // others.
  if (given.has("_routes") && path.endsWith(".data")) return null;
  const declared = policy.params.flatMap((name) => {
    const value = given.get(name);
    // A form without JavaScript sends its empty fields too.
    return value ? [[name, value]] : [];
  });
  return declared.length === 0 ? path : `${path}?${new URLSearchParams(declared)}`;
}

async function render(key: string, id: string, fetch: Options["fetch"]): Promise<Rendered> {
  const response = await fetch(new Request(`http://localhost${key}`), id);
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const storable =
    status === 200 &&
    !headers.has("set-cookie") &&
    (headers.get("cache-control") ?? "").startsWith("public");
  const tags = new Set((headers.get(tagsHeader) ?? "").split(" ").filter((tag) => tag !== ""));
  const expiresAt = Date.parse(headers.get("expires") ?? "");
  const page = await encodePage(status, headers, body);
  return { page, tags, storable, ...(Number.isNaN(expiresAt) ? {} : { expiresAt }) };
}

function sendPage(
  page: Page,
  request: IncomingMessage,
  response: ServerResponse,
  secure: boolean,
  id: string,
): void {
  const form = page.variants[acceptedEncoding(request.headers["accept-encoding"] ?? "")];
  const isKnown = page.status === 200 && matchesEtag(request.headers["if-none-match"], form.etag);
  const headers = secure ? form.headers.secure : form.headers.plain;
  // Node writes the head down at once, so the next request may put its own name there.
  headers[headers.length - 1] = id;
  response.writeHead(isKnown ? 304 : page.status, headers);
  response.end(isKnown || request.method === "HEAD" ? undefined : form.body);
}
