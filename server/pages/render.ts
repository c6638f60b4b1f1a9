import type { Handler } from "hono";
import { data, type RequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type AppContext, appContext } from "../../app/context.ts";
import { carryEdition, chooseEdition, findChoice } from "../../app/edition/edition.ts";
import { lookFile } from "../../app/features/brand/feature.server.ts";
import { embedsFile, frameSources } from "../../app/features/embeds/feature.server.ts";
import {
  missingPage,
  retryAfterSeconds,
  unavailableMessages,
} from "../../app/features/failures/feature.server.ts";
import { pagePath } from "../../app/lib/links/page-path.ts";
import { errorFields, toLoggedPath } from "../../app/lib/log.ts";
import type { PageScope, Services } from "../../app/platform/services.ts";
import { type CacheTag, cacheTags } from "../../app/platform/tags.ts";
import { findCityStyle } from "../../app/styles/city-style.server.ts";
import { isDatabaseUnavailable } from "../../db/failures.ts";
import { findFreshMs } from "../../db/shared-reads.ts";
import { noStore, saveDataHeader, varyHeader } from "../http/headers.ts";
import type { RequestEnv } from "../http/request-env.ts";
import type { Banner } from "./banner.ts";
import { pageCacheControl } from "./page-cache.ts";
import { findPartPath, type RouteTable } from "./route-table.ts";

type SharedContext = Pick<
  AppContext,
  "sitemaps" | "shareImages" | "findIssueItem" | "readSourceHealth" | "radio" | "offlineCopies"
>;

type RenderOptions = SharedContext & {
  findTitle(services: Services & PageScope, path: string): Promise<string | null>;
  handleWithRouter: RequestHandler;
  isPage: RouteTable["isPage"];
  services: Services;
  banner: Banner;
  mode: "production" | "development";
};

/** Creates the handler that renders the page of a request, and says how it may be cached. */
export const createPageHandler =
  ({
    handleWithRouter,
    isPage,
    services,
    banner,
    mode,
    findTitle,
    ...shared
  }: RenderOptions): Handler<RequestEnv> =>
  async ({ req: { raw: request }, env }) => {
    const { id, url, route, ipAddress, posted, own } = env;
    const edition = chooseEdition(
      url.searchParams,
      request.headers.get(saveDataHeader) ?? undefined,
    );
    const tags = new Set<CacheTag>([cacheTags.page(pagePath(url.pathname))]);
    const provider = new RouterContextProvider();
    let expiresAt = Number.POSITIVE_INFINITY;
    const scope: PageScope = {
      tags,
      expireAt(instant) {
        expiresAt = Math.min(expiresAt, instant.getTime());
      },
    };
    provider.set(appContext, {
      ...services,
      ...shared,
      ...scope,
      findTitle: (path) => findTitle({ ...services, ...scope }, path),
      ipAddress,
      log: services.log.with({ id }),
      frameSources: frameSources(services.site.read(embedsFile)),
      edition,
      look: findCityStyle(services.site.read(lookFile)).page,
      // The page cache inserts the banner by itself, because it stores pages without it.
      bannerHtml: own ? "" : banner.read(edition),
      isPage,
      hasMissingPage: (status) => own?.hasMissingPage(status) ?? false,
      readForm() {
        if (!posted?.form) throw data(null, { status: 400, statusText: "Bad Request" });
        return { kind: posted.kind, form: posted.form };
      },
    });
    const response = await handleWithRouter(request, provider);
    const { headers } = response;
    const isPublic =
      response.status === 200 && !headers.has("Set-Cookie") && route?.cache === "public";
    const now = services.clock().getTime();
    const freshMs = findFreshMs(services.db, tags);
    const validSeconds = Math.floor(Math.min(expiresAt - now, freshMs) / 1000);
    const cacheControl = isPublic ? pageCacheControl(validSeconds) : headers.get("Cache-Control");
    // The browser may keep the result of a form for its Back button. Otherwise it would ask the
    // reader whether to send the form again. A refused form has what the reader typed.
    const isFormResult = posted !== undefined && response.status === 200;
    headers.set("Cache-Control", cacheControl ?? (isFormResult ? "private, no-cache" : noStore));
    if (isPublic && Number.isFinite(expiresAt))
      headers.set("Expires", new Date(expiresAt).toUTCString());
    // For CDNs that can purge by tag.
    if (isPublic) headers.set("Surrogate-Key", [...tags].join(" "));
    const contentType = headers.get("Content-Type");
    if (contentType?.startsWith("text/html")) headers.set("Vary", varyHeader(contentType));
    const location = headers.get("Location");
    const choice = findChoice(url.searchParams);
    if (location !== null && choice)
      headers.set("Location", carryEdition(location, choice, isPage));
    if (mode === "development") headers.delete("Content-Security-Policy");
    own?.setCacheRules({ isPublic, tags, expiresAt, freshMs });
    return response;
  };

type Routes = ServerBuild["routes"];
type Loader = NonNullable<NonNullable<Routes[string]>["module"]["loader"]>;

/**
 * Wraps the loaders and actions of the routes. What the city does not have is missing. What needs
 * the database responds with status 503 and a message while the database is unavailable. All other
 * errors stay errors.
 */
export function guardRoutes(routes: Routes): Routes {
  const guard = (run: Loader, partPath: string, hasComponent: boolean, message: string): Loader =>
    async function handle(args) {
      const services = args.context.get(appContext);
      try {
        if (services.site.hasPage(partPath)) return await run(args);
        if (hasComponent) throw await missingPage(services);
        throw new Response("This city has no such page.\n", { status: 404 });
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        const path = toLoggedPath(new URL(args.request.url).pathname);
        services.log.warn("page.without_database", { path, ...errorFields(error) });
        throw new Response(message, {
          status: 503,
          statusText: "Service Unavailable",
          headers: { "Retry-After": String(retryAfterSeconds), "Cache-Control": noStore },
        });
      }
    };
  const entries = Object.entries(routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action } = route.module;
    const partPath = findPartPath(routes, id);
    const hasComponent = "default" in route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: guard(loader, partPath, hasComponent, unavailableMessages.page) }),
      ...(action && { action: guard(action, partPath, hasComponent, unavailableMessages.form) }),
    };
    return [id, { ...route, module }];
  });
  return Object.fromEntries(entries);
}
