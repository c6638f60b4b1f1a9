import type { Handler } from "hono";
import { type RequestHandler, RouterContextProvider } from "react-router";
import { type AppContext, appContext } from "../../app/context.ts";
import { embedsFile, frameSources } from "../../app/features/embeds/feature.server.ts";
import { carryEdition, chooseEdition, findChoice } from "../../app/lib/edition/edition.ts";
import { pagePath } from "../../app/lib/links/page-path.ts";
import type { Services } from "../../app/platform/services.ts";
import { type CacheTag, cacheTags } from "../../app/platform/tags.ts";
import { outdatedPageMs } from "../../db/shared-reads.ts";
import { noStore, pageCacheControl } from "../http/freshness.ts";
import { saveDataHeader, tagsHeader, varyHeader } from "../http/headers.ts";
import type { Scope } from "../http/visitor-limits.ts";
import type { RouteTable } from "./route-table.ts";

/** What all requests share and only pages use. */
type SharedContext = Pick<
  AppContext,
  "tally" | "sitemaps" | "shareImages" | "findTitle" | "radio" | "offlineCopies"
>;

type RenderOptions = SharedContext & {
  render: RequestHandler;
  routes: RouteTable;
  services: Services;
  mode: "production" | "development";
};

/** Renders the page of a request, and sets its cache tags and how long it may be cached. */
export const renderPage =
  ({ render, routes, services, mode, ...shared }: RenderOptions): Handler<Scope> =>
  async (c) => {
    const tags = new Set<CacheTag>([cacheTags.page(pagePath(c.env.url.pathname))]);
    const provider = new RouterContextProvider();
    let expiresAt = Number.POSITIVE_INFINITY;
    provider.set(appContext, {
      ...services,
      ...shared,
      tags,
      ipAddress: c.env.ipAddress,
      log: services.log.with({ id: c.env.id }),
      frameSources: frameSources(services.site.read(embedsFile)),
      edition: chooseEdition(c.env.url.searchParams, c.req.header(saveDataHeader)),
      isPage: routes.isPage,
      hasMissingPage: c.env.hasMissingPage ?? (() => false),
      expireAt(instant) {
        expiresAt = Math.min(expiresAt, instant.getTime());
      },
    });
    const response = await render(c.req.raw, provider);
    const isShared =
      response.status === 200 &&
      !response.headers.has("Set-Cookie") &&
      routes.findPolicy(c.req.path)?.cache === "public";
    const retryMs = outdatedPageMs(services.db, tags);
    if (retryMs !== null) expiresAt = Math.min(expiresAt, services.clock().getTime() + retryMs);
    const validSeconds = Math.floor((expiresAt - services.clock().getTime()) / 1000);
    const routeCacheControl = response.headers.get("Cache-Control");
    response.headers.set(
      "Cache-Control",
      isShared ? pageCacheControl(validSeconds) : (routeCacheControl ?? noStore),
    );
    if (isShared && Number.isFinite(expiresAt))
      response.headers.set("Expires", new Date(expiresAt).toUTCString());
    if (isShared) response.headers.set(tagsHeader, [...tags].join(" "));
    const contentType = response.headers.get("Content-Type");
    if (contentType?.startsWith("text/html")) response.headers.set("Vary", varyHeader(contentType));
    const location = response.headers.get("Location");
    const choice = findChoice(c.env.url.searchParams);
    if (location !== null && choice)
      response.headers.set("Location", carryEdition(location, choice, routes.isPage));
    if (mode === "development") response.headers.delete("Content-Security-Policy");
    return response;
  };
