import * as build from "virtual:react-router/server-build";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { type AppContext, appContext } from "../app/context.ts";
import { corsHeaders } from "../app/features/blog/feature.server.ts";
import { embedsFile, frameSources } from "../app/features/embeds/feature.server.ts";
import { unsubscribePath } from "../app/features/newsletter/feature.server.ts";
import { followContent, type SearchIndex } from "../app/features/search/feature.server.ts";
import { pagePath } from "../app/lib/links/page-path.ts";
import { errorFields } from "../app/lib/log.ts";
import type { MetricGroup } from "../app/lib/metrics.ts";
import type { SiteSource } from "../app/lib/site/site-file.server.ts";
import type { Job } from "../app/platform/job.ts";
import type { Services } from "../app/platform/services.ts";
import { type CacheTag, cacheTags } from "../app/platform/tags.ts";
import type { DatabaseOptions, OpenDatabase } from "../db/client.ts";
import { features } from "./features.ts";
import { isPrivate, type Proxies } from "./http/proxies.ts";
import { clientAddress, withPublicOrigin } from "./http/public-origin.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { staticFiles } from "./http/static-files.ts";
import { limitFormBodies, limitPagesAtOnce, limitVisitors, type Scope } from "./http/visitor-limits.ts";
import { openMailFor } from "./mail.ts";
import { backupCommand } from "./newsroom/backup/backup-command.ts";
import { backupJob, backupMetrics, makeDailyBackup } from "./newsroom/backup/daily-backup.ts";
import { restoreCommand } from "./newsroom/backup/restore-command.ts";
import { blogCommand } from "./newsroom/blog-command.ts";
import type { AnyCommand } from "./newsroom/commands.ts";
import { createChecks } from "./newsroom/cross-checks.ts";
import { digestCommand } from "./newsroom/digest-command.ts";
import { doctor } from "./newsroom/doctor/doctor-command.ts";
import { eventsCommand } from "./newsroom/events-command.ts";
import { feedsCommand } from "./newsroom/feeds-command.ts";
import { linksCommand } from "./newsroom/links-command.ts";
import { mailCommand } from "./newsroom/mail-command.ts";
import { messagesCommand } from "./newsroom/messages-command.ts";
import { purgeCommand } from "./newsroom/purge-command.ts";
import { reportCommand } from "./newsroom/report-command.ts";
import { storiesCommand } from "./newsroom/stories-command.ts";
import { subscribersCommand } from "./newsroom/subscribers-command.ts";
import { validate } from "./newsroom/validate.ts";
import { answerWithoutDatabase } from "./pages/database-away.ts";
import { keepMissingPage } from "./pages/missing-page.ts";
import { readRouteTable } from "./pages/route-table.ts";
import { keepSearchPages } from "./pages/search-answers.ts";
import type { Activities } from "./process/activities.ts";
import { databaseFault } from "./process/faults.ts";
import { type JobServices, jobMetrics } from "./process/jobs.ts";
import { keepPromises } from "./retention.ts";
import type { PublicImage } from "./site/site-images.ts";

export { boot } from "./boot.ts";

/** Loading a whole database takes longer than most commands, which do not need it. */
export const openDatabase = async (options: DatabaseOptions): Promise<OpenDatabase> =>
  (await import("../db/client.ts")).openDatabase(options).catch((error: unknown) => {
    throw databaseFault(options, error) ?? error;
  });

/** Every file of the city's folder that the software reads. */
export const siteFiles: SiteSource[] = features.flatMap(({ files = [] }) => files);

/** How long a server has to run before it makes backups. */
const settledSeconds = 600;

/** Everything that runs on a schedule. */
export const jobs: Job<JobServices>[] = [
  ...features.flatMap((feature) => feature.jobs ?? []),
  { name: "retention", cron: "17 * * * *", run: (services) => keepPromises(features, services) },
  {
    name: backupJob,
    cron: "*/15 * * * *",
    withinMinutes: 180,
    // Right after a start the machine has enough to do.
    run: async (services) => (process.uptime() < settledSeconds ? undefined : makeDailyBackup(services)),
  },
];

/** Figures that need the database. Those of the process itself are declared where they are counted. */
export const metricGroups = (services: Services): MetricGroup[] => [
  ...features.flatMap(({ metrics }) => metrics?.(services) ?? []),
  jobMetrics(services.db, jobs),
  backupMetrics(services),
];

export const openMail = openMailFor(features);

/** Keeps search up to date with everything else. */
export const followAll = (services: Services, during: Activities["during"]): SearchIndex =>
  followContent(features, services, during);

const checks = createChecks(features, () => readRouteTable(build.routes));

export const commands: AnyCommand[] = [
  validate(checks),
  doctor(checks),
  blogCommand,
  feedsCommand,
  linksCommand,
  purgeCommand,
  eventsCommand,
  mailCommand,
  digestCommand,
  subscribersCommand,
  backupCommand,
  restoreCommand,
  messagesCommand,
  storiesCommand,
  reportCommand,
];

export type AppOptions = Services & {
  tally: AppContext["tally"];
  mode: "production" | "development";
  proxies: Proxies;
  siteFolder: string;
  /** The file of an image that readers may get: see server/site/site-images.ts. */
  publicImage(name: string): Promise<PublicImage | null>;
  clientFolder: string;
  ping(): Promise<unknown>;
};

const year = "public, max-age=31536000, immutable";
/** An image's address has its version, so it could be kept for ever; but one that is removed has to leave caches too. */
const day = "public, max-age=86400, immutable";
/** Films and documents may be replaced by an editor, so browsers ask after them now and then. */
const tenMinutes = "public, max-age=600, stale-while-revalidate=86400";

const pageFreshSeconds = 60;
const daySeconds = 86_400;

/** For caches between us and readers. A day is how long a page may be shown while the site behind it is being mended. */
function forShared(trueForSeconds: number): string {
  const fresh = Math.max(0, Math.min(pageFreshSeconds, trueForSeconds));
  const stale = Math.max(0, Math.min(daySeconds, trueForSeconds - fresh));
  return `public, max-age=0, s-maxage=${fresh}, stale-while-revalidate=${stale}, stale-if-error=${daySeconds}`;
}

/** The whole site as one function from Request to Response, and what its routes say of their pages. */
export function createApp(options: AppOptions) {
  const { mode, proxies, siteFolder, publicImage, clientFolder, ping, tally, ...services } = options;
  const render = createRequestHandler({ ...build, routes: answerWithoutDatabase(build.routes) }, mode);
  const routes = readRouteTable(build.routes);

  const app = new Hono<Scope>();
  // While working, Vite's own inline scripts and sockets have to run.
  if (mode === "production") app.use(securityHeaders);

  app.use(limitVisitors);

  app.get("/healthz", (c) => c.text("ok\n", 200, { "Cache-Control": "no-store" }));
  app.get("/readyz", async (c) => {
    const ready = await ping().then(
      () => true,
      () => false,
    );
    const answer = ready ? "ready\n" : "the database does not answer\n";
    return c.text(answer, ready ? 200 : 503, { "Cache-Control": "no-store" });
  });

  app.use(staticFiles({ prefix: "/assets/", folder: `${clientFolder}/assets`, cacheControl: year }));
  app.use(
    staticFiles({ prefix: "/art/", folder: `${siteFolder}/art`, cacheControl: day, find: publicImage }),
  );
  for (const name of ["film", "covers"])
    app.use(staticFiles({ prefix: `/${name}/`, folder: `${siteFolder}/${name}`, cacheControl: tenMinutes }));
  const documents = { folder: `${siteFolder}/documents`, cacheControl: tenMinutes };
  app.use(staticFiles({ prefix: "/documents/download/", asDownload: true, ...documents }));
  app.use(staticFiles({ prefix: "/documents/", ...documents }));

  app.get("*", async (c, next) => {
    // Hono's own path is decoded; an address has to go back as it came.
    const { pathname, search } = c.env.url;
    const canonical = routes.canonicalPath(pathname);
    return canonical === null ? next() : c.redirect(canonical + search, 308);
  });
  // A browser asks whether a page of another city may call these before it does.
  app.on("OPTIONS", "/functions/*", (c) => {
    const headers = corsHeaders(c.req.header("origin"), services);
    return new Response(null, { status: 204, headers });
  });
  app.on("OPTIONS", "*", (c) => c.body(null, 204, { Allow: "GET, HEAD, POST, OPTIONS" }));
  app.on("POST", "*", async (c, next) => {
    // Its token is what counts there, and a mail program's own button is pressed on any page or none (RFC 8058).
    if (c.env.url.pathname === unsubscribePath) c.req.raw.headers.delete("origin");
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== c.env.url.origin) {
      return c.text("This form was sent from another site, so we did not take it.\n", 403);
    }
    return next();
  });
  // A form sent to the front page would reach the layout around it, which has no page to answer with.
  app.post("/", (c) => c.text("The front page takes no form.\n", 405, { Allow: "GET, HEAD" }));
  app.use(limitFormBodies(routes.pageAt));
  if (mode === "production") {
    const count = (path: string) => tally.count("missing", path);
    app.use(keepMissingPage({ isMissing: routes.isMissing, count }));
    app.get("/search", keepSearchPages(tally));
  }
  app.use(compress());
  app.use(limitPagesAtOnce());

  app.all("*", async (c) => {
    const tags = new Set<CacheTag>([cacheTags.page(pagePath(c.env.url.pathname))]);
    const provider = new RouterContextProvider();
    let expiresAt = Number.POSITIVE_INFINITY;
    provider.set(appContext, {
      ...services,
      tally,
      tags,
      address: c.env.address,
      log: services.log.with({ id: c.env.id }),
      frames: frameSources(services.site.read(embedsFile)),
      expireAt(instant) {
        expiresAt = Math.min(expiresAt, instant.getTime());
      },
    });
    const response = await render(c.req.raw, provider);
    const keep = response.status === 200 && routes.pageAt(c.req.path)?.cache === "public";
    const trueForSeconds = Math.floor((expiresAt - services.clock().getTime()) / 1000);
    const own = response.headers.get("Cache-Control");
    response.headers.set("Cache-Control", keep ? forShared(trueForSeconds) : (own ?? "no-store"));
    if (keep && Number.isFinite(expiresAt))
      response.headers.set("Expires", new Date(expiresAt).toUTCString());
    if (keep) response.headers.set("Surrogate-Key", [...tags].join(" "));
    if (mode === "development") response.headers.delete("Content-Security-Policy");
    return response;
  });

  app.onError((error, c) => {
    services.log.error("request.failed", { id: c.env.id, path: c.req.path, ...errorFields(error) });
    return c.text("Something went wrong on our side. Please try again in a moment.\n", 500);
  });

  let isWarned = false;
  /** All readers behind a proxy that is not trusted count as one visitor, and share the limits of one. */
  function warnOfProxy(): void {
    if (isWarned) return;
    isWarned = true;
    services.log.warn("proxy.not_trusted", {
      detail:
        "Requests come through a proxy that TRUST_PROXY does not name, so all readers share one visitor's limits. Set it to 1 for a proxy on this machine, else to the proxy's address.",
    });
  }

  return {
    pageAt: routes.pageAt,
    fetch(request: Request, id: string, connected = "") {
      const forwardedFor = request.headers.get("x-forwarded-for") ?? "";
      const isProxied = proxies.include(connected);
      const address = clientAddress(forwardedFor, connected, isProxied);
      if (!isProxied && forwardedFor !== "" && isPrivate(connected)) warnOfProxy();
      const asSeen = withPublicOrigin(request, isProxied);
      return app.fetch(asSeen, { id, address, url: new URL(asSeen.url) });
    },
  };
}
