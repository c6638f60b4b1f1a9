import { join } from "node:path";
import * as build from "virtual:react-router/server-build";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createRequestHandler } from "react-router";
import { siteSettingsFile } from "../app/features/brand/feature.server.ts";
import { isDeskPath } from "../app/features/desk/feature.server.ts";
import { createShareImages } from "../app/features/share-images/feature.server.ts";
import { errorFields, toLoggedPath } from "../app/lib/log.ts";
import { noPage } from "../app/platform/services.ts";
import { type BootedServer, boot as bootServer, type Started } from "./boot.ts";
import {
  createCommands,
  crossOriginPaths,
  findIssueItem,
  findShareCard,
  findTitle,
  readSourceHealth,
  sitemaps,
} from "./composition.ts";
import { features } from "./features.ts";
import { serveAppIcons } from "./http/files/app-icons.ts";
import { serveOfflineWorker } from "./http/files/offline-worker.ts";
import { listStaticFolders, serveStaticFiles } from "./http/files/static-files.ts";
import { serveStylesheet } from "./http/files/stylesheet.ts";
import { readForms, refuseCrossSiteForms } from "./http/forms/read-forms.ts";
import { noStore, setSecurityHeaders } from "./http/headers.ts";
import type { RequestInfo } from "./http/http.ts";
import { backButtonHint, createVisitorLimits } from "./http/limits.ts";
import { createImageReader } from "./http/own-images.ts";
import type { MatchedRoute, RequestEnv } from "./http/request-env.ts";
import { createReferenceCheck } from "./newsroom/cross-checks.ts";
import { type HandleOwn, servePages } from "./pages/pages.ts";
import { createPageHandler, guardRoutes } from "./pages/render.ts";
import { listPrivateAssets, readRouteTable } from "./pages/route-table.ts";
import { cacheSearchPages } from "./pages/search-pages.ts";
import type { Config } from "./site/config.ts";

export { openDatabase, openServices, siteFiles } from "./composition.ts";
export { runCommand } from "./newsroom/commands.ts";
export { readSite } from "./site/site-files.ts";
export { createTextParser } from "./site/text-parser.ts";

export const routes = readRouteTable(build.routes);

const privateAssets = listPrivateAssets(build, (path) => isDeskPath(path));

const checkReferences = createReferenceCheck(features, routes);

export const commands = createCommands(checkReferences);

export const boot = (config: Config, started: Started) =>
  bootServer(config, started, commands, checkReferences, routes);

/**
 * Creates the site: `servePage` serves pages from the page cache, and `handleRequest` responds
 * to all other requests.
 */
export function createApp(
  { services, cache, banner, images, radio, ping }: BootedServer,
  { siteFolder, dataDir, offlineCopies, pageCache: isCaching }: Config,
  { clientFolder, mode }: { clientFolder: string; mode: "production" | "development" },
) {
  const handleWithRouter = createRequestHandler(
    { ...build, routes: guardRoutes(build.routes) },
    mode,
  );
  const app = new Hono<RequestEnv>();
  // In development, the Content Security Policy would block Vite's inline scripts and WebSocket.
  if (mode === "production") app.use(setSecurityHeaders);
  // No cache stores the desk and no search engine lists it, whatever a handler responds.
  app.use(async (c, next) => {
    await next();
    if (!isDeskPath(c.req.path)) return;
    c.res.headers.set("Cache-Control", noStore);
    c.res.headers.set("X-Robots-Tag", "noindex, nofollow");
  });
  const limits = createVisitorLimits(isDeskPath);
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
  const folders = listStaticFolders(clientFolder, siteFolder, images);
  app.get("/assets/*", serveStylesheet(services.site));
  for (const folder of folders) app.get(`${folder.prefix}*`, serveStaticFiles(folder));
  app.get("/icons/*", serveAppIcons({ site: services.site, images }));
  app.get(
    "/sw.js",
    compress(),
    serveOfflineWorker({ ...services, clientFolder, offlineCopies, privateAssets }),
  );
  // The paths of the GET handlers above, not of those below. They have no route, so `findRoute`
  // must know them.
  const handledPaths = app.routes.flatMap(({ method, path }) => (method === "GET" ? [path] : []));

  app.get("*", async (c, next) => {
    const { url, route, own } = c.env;
    const isPage = route?.isPage && !url.pathname.endsWith(".data");
    // The keys of the page cache have only canonical paths.
    return isPage && !own && route.canonicalPath !== url.pathname
      ? c.redirect(route.canonicalPath + url.search, 308)
      : next();
  });
  // CORS preflight: before a page of another site calls a path, the reader's browser asks whether
  // that is allowed.
  for (const { path, headers } of crossOriginPaths)
    app.on("OPTIONS", `${path}*`, (c) =>
      c.newResponse(null, { status: 204, headers: headers(c.req.header("origin"), services) }),
    );
  app.on("OPTIONS", "*", (c) => c.body(null, 204, { Allow: "GET, HEAD, POST, OPTIONS" }));
  app.on("POST", "*", refuseCrossSiteForms);
  // React Router would send a form for the front page to the layout route, which has no action.
  app.post("/", (c) => c.text("The front page has no form.\n", 405, { Allow: "GET, HEAD" }));
  // React Router answers a form for a page without an action with an error page. This handler
  // refuses forms for files.
  app.on("POST", "*", async (c, next) =>
    c.env.route && !c.env.route.isPage && !c.env.route.hasAction
      ? c.text("This page does not accept forms.\n", 405, { Allow: "GET, HEAD" })
      : next(),
  );
  app.on("POST", "*", readForms);
  if (mode === "production") app.get("/search", cacheSearchPages(services.tally, banner));
  app.use(compress());
  app.get("*", limits.limitPages, limits.limitRenders);
  const handleOwn: HandleOwn = (request, from) =>
    app.fetch(request, { ...from, url: new URL(request.url), ipAddress: "" });
  const fetchImage = (request: Request) =>
    handleOwn(request, {
      id: "share",
      route: routes.find(new URL(request.url).pathname),
      own: { hasMissingPage: () => false, setCacheRules() {} },
    });
  const readOrigin = () => services.site.read(siteSettingsFile).origin;
  const shareImages = createShareImages(services, {
    findCard: (kind, id) => findShareCard({ ...services, ...noPage }, kind, id),
    cacheFolder: join(dataDir, "cache/share"),
    ...createImageReader(fetchImage, readOrigin),
  });
  const handlePage = createPageHandler({
    handleWithRouter,
    isPage: routes.isPage,
    services,
    banner,
    sitemaps,
    shareImages,
    findTitle,
    findIssueItem: (path) => findIssueItem(services, path),
    readSourceHealth: () => readSourceHealth(services),
    radio,
    offlineCopies,
    mode,
  });
  app.all("*", handlePage);
  app.onError((error, c) => {
    services.log.error("request.failed", {
      id: c.env.id,
      path: toLoggedPath(c.req.path),
      ...errorFields(error),
    });
    const hint = c.req.method === "POST" ? backButtonHint(c.req.path) : "";
    return c.text(`Something went wrong on our side. Please try again in a moment.${hint}\n`, 500);
  });

  /**
   * Finds a route for the page cache. Null for paths that a handler above serves. All other paths
   * without a route lead to the page "not found".
   */
  function findRoute(path: string): MatchedRoute | null {
    const route = routes.find(path);
    if (route) return route;
    const decoded = decodeURIComponent(path);
    const isHandled = handledPaths.some((handled) =>
      handled.endsWith("*") ? decoded.startsWith(handled.slice(0, -1)) : decoded === handled,
    );
    return isHandled || !routes.notFound ? null : { ...routes.notFound, canonicalPath: path };
  }

  return {
    acceptsFiles: (path: string) => routes.find(path)?.acceptsFiles ?? false,
    servePage: servePages({
      cache,
      banner,
      log: services.log,
      findRoute,
      handleOwn,
      admitPage: limits.admitPage,
      isCaching,
    }),
    handleRequest(request: Request, { id, ipAddress }: RequestInfo) {
      const url = new URL(request.url);
      return app.fetch(request, { id, url, route: routes.find(url.pathname), ipAddress });
    },
  };
}
