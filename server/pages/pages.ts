import type { IncomingMessage, ServerResponse } from "node:http";
import { matchesEtag } from "../../app/lib/http/if-none-match.server.ts";
import { isMissing, missingStatuses } from "../../app/lib/http/missing-status.ts";
import { errorFields, type Log, toLoggedPath } from "../../app/lib/log.ts";
import { allEncodings, chooseEncoding, type Encoding, saveDataHeader } from "../http/headers.ts";
import type { RequestInfo } from "../http/http.ts";
import type { CacheRules } from "../http/request-env.ts";
import type { CacheState } from "../http/request-times.ts";
import type { Banner } from "./banner.ts";
import {
  type CachedResponse,
  encodePage,
  type PageCache,
  type RenderResult,
  type Variant,
} from "./page-cache.ts";
import { canBeKey, type FindPage, toMissingKey, toPageKey } from "./page-key.ts";
import { notFoundPattern } from "./route-table.ts";

type Options = {
  cache: PageCache;
  banner: Banner;
  log: Log;
  findPage: FindPage;
  /**
   * The page of a missing path is stored once for each of these statuses, so a response with one of
   * them need not contain the page.
   */
  renderShared(
    key: string,
    id: string,
    storedMissingStatuses: readonly number[],
  ): Promise<{ response: Response; cacheRules: CacheRules }>;
  /**
   * Counts a page that has to be rendered for a visitor, and returns whether the visitor may have
   * it. Most pages that a person opens are already in the cache, but a program that makes up URLs
   * would keep the server rendering.
   */
  admitPage(ipAddress: string): boolean;
  /** Whether pages are stored. If not, each request is rendered, to measure what that costs. */
  isCaching: boolean;
};

/**
 * Serves pages that are the same for every reader, before React Router sees the request. The render
 * gets nothing from the reader except the path and the parameters that its route declares, so that
 * no reader can poison what others see.
 */
export function servePages({
  cache,
  banner,
  log,
  findPage,
  renderShared,
  admitPage,
  isCaching,
}: Options) {
  return (
    request: IncomingMessage,
    response: ServerResponse,
    { id, ipAddress, isSecure }: RequestInfo,
  ): CacheState | null => {
    const target = request.url ?? "";
    const saveData = request.headers[saveDataHeader]?.toString();
    // Most requests are for a key, so the routes need not be consulted.
    const isKey = saveData === undefined && canBeKey(target) && cache.has(target);
    const key = isKey ? target : toPageKey(target, findPage, saveData);
    if (key === null) return null;
    const encoding = chooseEncoding(request.headers["accept-encoding"] ?? "");
    const encodings = isCaching ? allEncodings : [...new Set(["identity" as const, encoding])];
    const render = () => renderAndEncode(key, id, encodings, { cache, findPage, renderShared });
    const page = isCaching ? cache.find(key, render) : null;
    const send = ({ status }: CachedResponse, variant: Variant) =>
      sendPage(status, variant, request, response, isSecure, id);
    const onFailed = (error: unknown) => {
      log.error("page.not_sent", { id, path: toLoggedPath(key), ...errorFields(error) });
      response.destroy();
    };
    if (page) {
      const variant = banner.addTo(page, key, encoding);
      if ("body" in variant) send(page, variant);
      else variant.then((encoded) => send(page, encoded)).catch(onFailed);
      return "hit";
    }
    // The handler of all other requests refuses the visitor.
    if (!admitPage(ipAddress)) return null;
    const rendering = isCaching ? cache.render(key, render) : render();
    rendering
      .then(async ({ page: rendered }) => {
        send(rendered, await banner.addTo(rendered, key, encoding));
      })
      .catch(onFailed);
    const { pattern } = findPage(target.split("?", 1)[0] ?? "") ?? {};
    return pattern === notFoundPattern ? "unknown path" : "miss";
  };
}

async function renderAndEncode(
  key: string,
  id: string,
  encodings: readonly Encoding[],
  { cache, findPage, renderShared }: Pick<Options, "cache" | "findPage" | "renderShared">,
): Promise<RenderResult> {
  const stored = new Map<number, CachedResponse>();
  for (const status of missingStatuses) {
    const page = cache.findFresh(toMissingKey(key, findPage, status) ?? "");
    if (page) stored.set(status, page);
  }
  const { response, cacheRules } = await renderShared(key, id, [...stored.keys()]);
  const { status, headers } = response;
  const { isPublic, ...rules } = cacheRules;
  const storedPage = stored.get(status);
  if (storedPage) return { ...rules, page: storedPage, storeAs: null };
  const page = await encodePage(
    status,
    headers,
    Buffer.from(await response.arrayBuffer()),
    encodings,
  );
  const missingKey = isMissing(status) ? toMissingKey(key, findPage, status) : null;
  return { ...rules, page, storeAs: isPublic ? key : missingKey };
}

function sendPage(
  status: number,
  variant: Variant,
  request: IncomingMessage,
  response: ServerResponse,
  isSecure: boolean,
  id: string,
): void {
  const isUnchanged = status === 200 && matchesEtag(request.headers["if-none-match"], variant.etag);
  const headers = isSecure ? variant.headers.secure : variant.headers.plain;
  // Node copies the headers at once, so the next request may overwrite the request id.
  headers[headers.length - 1] = id;
  response.writeHead(isUnchanged ? 304 : status, headers);
  response.end(isUnchanged || request.method === "HEAD" ? undefined : variant.body);
}
