import { join } from "node:path";
import * as build from "virtual:react-router/server-build";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createRequestHandler } from "react-router";
import type { AppContext } from "../app/context.ts";
import { editionParam } from "../app/edition/edition.ts";
import { siteSettingsFile } from "../app/features/brand/feature.server.ts";
import { findRedirect, redirectsFile } from "../app/features/redirects/feature.server.ts";
import { createShareImages } from "../app/features/share-images/feature.server.ts";
import { errorFields, toLoggedPath } from "../app/lib/log.ts";
import { type BootedServer, boot as bootServer } from "./boot.ts";
import {
  createCommands,
  crossOriginPaths,
  findShareCard,
  findTitle,
  sitemaps,
} from "./composition.ts";
import { features } from "./features.ts";
import { serveAppIcons } from "./http/files/app-icons.ts";
import { serveOfflineWorker, setClearSiteData } from "./http/files/offline-worker.ts";
import { listStaticFolders, serveStaticFiles } from "./http/files/static-files.ts";
import { receiveForms, refuseCrossSiteForms } from "./http/forms/form-posts.ts";
import { createForwardedResolver } from "./http/forwarded.ts";
import { noStore, saveDataHeader, securityHeaders, setSecurityHeaders } from "./http/headers.ts";
import { openOwnImages } from "./http/own-images.ts";
import type { Scope } from "./http/scope.ts";
import { busyResponse, createVisitorLimits } from "./http/visitor-limits.ts";
import { createReferenceCheck } from "./newsroom/cross-checks.ts";
import { createRenderer, handleDatabaseUnavailable, type RenderedPage } from "./pages/render.ts";
import { cacheMissingPage, cacheSearchPages } from "./pages/response-cache.ts";
import { readRouteTable } from "./pages/route-table.ts";
import type { Config } from "./site/config.ts";

export { createMailer, openDatabase, siteFiles } from "./composition.ts";
export { runCommand } from "./newsroom/commands.ts";
export { serveRadio } from "./radio/serve-radio.ts";
export { readSite } from "./site/site-files.ts";
export { createTextParser } from "./site/text-parser.ts";

const routeTable = () => readRouteTable(build.routes);

const checkReferences = createReferenceCheck(features, routeTable);

export const commands = createCommands(checkReferences, routeTable);

export const boot = (config: Config) => bootServer(config, commands, checkReferences);

type AppOptions = {
  radio: AppContext["radio"];
  clientFolder: string;
  mode: "production" | "development";
};

/**
 * Creates the site as one function from Request to Response, plus a lookup of the policy that each
 * page's route declares.
 */
export function createApp(
  { services, images, ping }: Pick<BootedServer, "services" | "images" | "ping">,
  { siteFolder, dataDir, proxies, offlineCopies }: Config,
  { radio, clientFolder, mode }: AppOptions,
) {
  const render = createRequestHandler(
    { ...build, routes: handleDatabaseUnavailable(build.routes) },
    mode,
  );
  const routes = readRouteTable(build.routes);
  const resolveForwarded = createForwardedResolver(proxies, services.log);

  const app = new Hono<Scope>();
  // In development, the Content Security Policy would block Vite's inline scripts and WebSocket.
  if (mode === "production") app.use(securityHeaders);
  if (offlineCopies === "clear")
    app.use(async (c, next) => {
      await next();
      setClearSiteData(c.res.headers, c.req.path);
    });
  const limits = createVisitorLimits(routes.findPolicy);
  app.on("POST", "*", limits.limitForms);

  app.get("/healthz", (c) => c.text("ok\n", 200, { "Cache-Control": noStore }));
  app.get("/readyz", async (c) => {
    const isReady = await ping().then(
      () => true,
      () => false,
    );
    const body = isReady ? "ready\n" : "the database does not respond\n";
    return c.text(body, isReady ? 200 : 503, { "Cache-Control": noStore });
  });
  for (const folder of listStaticFolders(clientFolder, siteFolder, images))
    app.use(serveStaticFiles(folder));
  app.get("/icons/*", serveAppIcons({ site: services.site, images }));
  app.get("/sw.js", compress(), serveOfflineWorker({ ...services, clientFolder, offlineCopies }));

  app.get("*", async (c, next) => {
    // Hono decodes its path, but a redirect must keep the encoding of the request.
    const { pathname, search } = c.env.url;
    const canonical = routes.findCanonicalPath(pathname);
    return canonical === null ? next() : c.redirect(canonical + search, 308);
  });
  // CORS preflight: before a page of another site calls a path, the reader's browser asks whether
  // that is allowed.
  for (const { path, headers } of crossOriginPaths)
    app.on("OPTIONS", `${path}*`, (c) =>
      c.newResponse(null, { status: 204, headers: headers(c.req.header("origin"), services) }),
    );
  app.on("OPTIONS", "*", (c) => c.body(null, 204, { Allow: "GET, HEAD, POST, OPTIONS" }));
  app.on("POST", "*", refuseCrossSiteForms(routes.findPolicy));
  // React Router would send a form for the front page to the layout route, which has no action.
  app.post("/", (c) => c.text("The front page has no form.\n", 405, { Allow: "GET, HEAD" }));
  app.on("POST", "*", async (c, next) =>
    routes.refusesForms(c.env.url.pathname)
      ? c.text("This page does not accept forms.\n", 405, { Allow: "GET, HEAD" })
      : next(),
  );
  app.on("POST", "*", receiveForms(routes.findPolicy));
  if (mode === "production") {
    const count = (path: string) => services.tally.count("missing", toLoggedPath(path));
    const isMissing = (path: string) =>
      routes.isMissing(path) && findRedirect(services.site.read(redirectsFile), path) === null;
    app.use(cacheMissingPage(isMissing, count));
    app.get("/search", cacheSearchPages(services.tally));
  }
  app.use(compress());
  app.get("*", limits.limitPages, limits.limitRenders);
  const ownImages = openOwnImages(
    (request) => app.fetch(request, { id: "share", ipAddress: "", url: new URL(request.url) }),
    () => services.site.read(siteSettingsFile).origin,
  );
  const shareImages = createShareImages(services, {
    findCard: (kind, id) => findShareCard(services, kind, id),
    cacheFolder: join(dataDir, "cache/share"),
    images: ownImages,
  });
  const renderPage = createRenderer({
    render,
    routes,
    services,
    sitemaps,
    shareImages,
    findTitle: (path) => findTitle(services, path),
    radio,
    offlineCopies,
    mode,
  });
  app.all("*", async (c) => (await renderPage(c.req.raw, c.env)).response);
  app.onError((error, c) => {
    services.log.error("request.failed", {
      id: c.env.id,
      path: toLoggedPath(c.req.path),
      ...errorFields(error),
    });
    return c.text("Something went wrong on our side. Please try again in a moment.\n", 500);
  });

  /** Renders a page that is the same for every reader. Only the cache key says which page it is. */
  async function renderShared(
    key: string,
    id: string,
    hasMissingPage: () => boolean,
  ): Promise<RenderedPage> {
    const url = new URL(key, "http://localhost");
    // The key names an edition only if it differs from the ordinary page, and "full" differs only
    // for readers with Save-Data.
    const request = new Request(url);
    if (url.searchParams.has(editionParam)) request.headers.set(saveDataHeader, "on");
    const freeSlot = limits.takeRenderSlot();
    try {
      const scope = { id, url, ipAddress: "", hasMissingPage };
      const page = freeSlot
        ? await renderPage(request, scope)
        : { response: busyResponse(), isPublic: false, tags: new Set<string>(), expiresAt: 0 };
      setSecurityHeaders(page.response.headers);
      if (offlineCopies === "clear") setClearSiteData(page.response.headers, url.pathname);
      return page;
    } finally {
      freeSlot?.();
    }
  }

  return {
    findPolicy: routes.findPolicy,
    renderShared,
    countPage: limits.countPage,
    fetch(received: Request, id: string, remoteAddress = "") {
      const { request, ipAddress } = resolveForwarded(received, remoteAddress);
      return app.fetch(request, { id, ipAddress, url: new URL(request.url) });
    },
  };
}
