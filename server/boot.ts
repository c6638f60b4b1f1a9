import { EventEmitter } from "node:events";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import { followAlerts } from "../app/features/alerts/feature.server.ts";
import { createTallies } from "../app/features/tally/feature.server.ts";
import { createSafeFetch } from "../app/lib/external/safe-fetch.server.ts";
import { createInFlight } from "../app/lib/http/in-flight.server.ts";
import { createLog, errorFields } from "../app/lib/log.ts";
import { withTimeout } from "../app/lib/with-timeout.ts";
import type { Database } from "../db/database.ts";
import { everyTag } from "../db/purge.ts";
import { secrets } from "../db/schema.ts";
import { createSecrets } from "../db/secrets.ts";
import { openSharedReads } from "../db/shared-reads.ts";
import {
  followSiteFiles,
  jobs,
  loadSharedReads,
  metricGroups,
  openDatabase,
  openServices,
  siteFiles,
  startSearchIndex,
} from "./composition.ts";
import type { HandleStream } from "./http/http.ts";
import { openLiveStories } from "./live/serve-live.ts";
import { type AnyCommand, type CommandHost, nameForLog, runCommand } from "./newsroom/commands.ts";
import { type CheckReferences, findBrokenReferences } from "./newsroom/cross-checks.ts";
import { problemMetrics } from "./newsroom/problem-mail.ts";
import { createBanner } from "./pages/banner.ts";
import { cacheMetrics, createPageCache, maxStaleMs, pageFreshMs } from "./pages/page-cache.ts";
import type { RouteTable } from "./pages/route-table.ts";
import type { HeldFolder } from "./process/command-socket.ts";
import { startJobs } from "./process/jobs.ts";
import { batchedSink } from "./process/log-sink.ts";
import { databaseMetrics, processMetrics } from "./process/metrics.ts";
import { createActivities, createWatchdog } from "./process/watchdog.ts";
import { openRadio, radioMetrics } from "./radio/radio.ts";
import { serveRadio } from "./radio/serve-radio.ts";
import type { FileProblem } from "./site/check-file.ts";
import { recordOwner } from "./site/choose-city.ts";
import type { Config } from "./site/config.ts";
import { publishImages } from "./site/public-images.ts";
import { openSite } from "./site/site-files.ts";
import { readImages } from "./site/site-images.ts";
import { createTextParser } from "./site/text-parser.ts";
import { openWorkerPool } from "./workers/worker-pool.ts";

const pageCacheBytes = 64 * 1024 * 1024;

/** What happens while the server runs: a site file has changed, or the data behind cache tags. */
type Changes = { siteFile: []; purge: [tags: string[]] };

/** What a process has before it loads the features: the data folder, and a build unless in development. */
export type Started = { heldFolder: HeldFolder; build?: string };

export type BootedServer = Awaited<ReturnType<typeof boot>>;

/**
 * Opens everything else that a server process needs, in order. The returned `stop` closes it again,
 * with the data folder.
 */
export async function boot(
  config: Config,
  { heldFolder, build }: Started,
  commands: AnyCommand[],
  checkReferences: CheckReferences,
  routes: RouteTable,
) {
  const log = createLog(batchedSink(process.stderr));
  const activities = createActivities();
  const watchdog = createWatchdog({ activities, log });
  // On a full disk the owner cannot be recorded, but the site still starts.
  await recordOwner(config.dataDir, config.siteFolder).catch((error) =>
    log.warn("city.not_recorded", errorFields(error)),
  );
  const cache = createPageCache({
    maxBytes: pageCacheBytes,
    maxFreshMs: pageFreshMs,
    maxStaleMs,
    now: Date.now,
    onError: (error) => log.error("page.not_rerendered", errorFields(error)),
  });
  // What is opened below listens to these changes, and is called in the order of its opening.
  const changes = new EventEmitter<Changes>();
  // Any page may show content of the changed site file.
  changes.on("siteFile", cache.clear);
  const siteImages = readImages(config.siteFolder);
  const images = publishImages(config.siteFolder, {
    images: siteImages,
    cacheFolder: join(config.dataDir, "cache/photos", basename(config.siteFolder)),
    photoFolders: siteFiles.flatMap((source) => ("folder" in source ? [source.folder] : [])),
    isNamed: (photo) => site.isNamed(photo),
    log,
  });
  const workers = openWorkerPool();
  const site = await openSite(config.siteFolder, siteFiles, {
    images: siteImages,
    texts: createTextParser(workers.run),
    log,
    onChange: () => changes.emit("siteFile"),
    prepareMedia: images.prepare,
    track: activities.track,
    lastGoodFolder: join(config.dataDir, "cache/site", basename(config.siteFolder)),
    build,
  });
  const database = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    onError: (error) => log.error("database.connection_lost", errorFields(error)),
  });
  const sharedReads = openSharedReads(database.db, {
    now: () => performance.now(),
    onError: (name, error) => log.warn("data.not_renewed", { name, ...errorFields(error) }),
  });
  changes.on("purge", sharedReads.purge);
  // After the data, so that no page is rendered again with the old data.
  changes.on("purge", cache.purge);
  // On a full disk the secrets cannot be created. The site still starts; pages that need a secret
  // fail until there is space.
  await createSecrets(database.db).catch((error) =>
    log.warn("secrets.not_created", errorFields(error)),
  );
  const onPurge = (tags: string[]) => changes.emit("purge", tags);
  const stopListening = await database.listen({
    onPurge,
    onLost(error) {
      log.warn("purge.connection_lost", errorFields(error));
      sharedReads.setReceivesPurges(false);
      cache.markStale();
    },
    onRestored() {
      log.info("purge.connection_restored");
      sharedReads.setReceivesPurges(true);
      onPurge([everyTag]);
    },
  });
  const fetch = createSafeFetch(config.fetchAllow, config.offline);
  const clock = () => new Date();
  const { db } = database;
  const tally = createTallies({ site, db, clock, log });
  const { run: runInWorker } = workers;
  const others = { site, clock, log, fetch, tally, runInWorker };
  const services = await openServices(config, database, routes, others);
  const radio = openRadio(config, services);
  const handleRadio = serveRadio(radio, site);
  const liveStories = openLiveStories(services);
  changes.on("siteFile", liveStories.refresh);
  changes.on("purge", liveStories.onPurged);
  const handleStream: HandleStream = (request, response, info) =>
    handleRadio(request, response, info) || liveStories.handle(request, response, info);
  const banner = createBanner(routes.isPage);
  const alerts = followAlerts(services, banner.show);
  changes.on("siteFile", alerts.update);
  changes.on("purge", alerts.onPurged);
  await alerts.update();
  // A misspelled SMTP_URL has no other sign than this line.
  log.info("mail.destination", {
    to: config.smtpUrl?.host ?? join(config.dataDir, "outbox"),
  });
  // Send emails that were due when the previous process ended.
  services.mail.wake();
  const { siteFolder } = config;
  const backups = {
    config,
    siteFolder,
    isServing: true,
    takeSnapshot: database.takeSnapshot,
    progress() {},
  };
  let brokenReferences: FileProblem[] | undefined;
  const findBroken = async () => {
    const context = { siteFolder, siteFiles, services: async () => services };
    brokenReferences = await findBrokenReferences(site, checkReferences, context);
    return brokenReferences;
  };
  const findProblems = async () => {
    // The files are compared after each change of one. While they have problems they are compared
    // now too, because a change in the database, such as an approved story, can end a problem.
    const found = brokenReferences?.length === 0 ? [] : await findBroken();
    return [...(await site.findProblems()), ...found];
  };
  const jobServices = { ...services, backups, findProblems };
  const trackedJobs = jobs.map(({ name, run, ...job }) => ({
    ...job,
    name,
    run: (context: typeof jobServices) => activities.track(`job ${name}`, () => run(context)),
  }));
  const stopJobs = await startJobs(database, trackedJobs, jobServices);
  const index = startSearchIndex(services, activities.track);
  changes.on("siteFile", index.onSiteChanged);
  changes.on("purge", index.onPurged);
  index.onSiteChanged();
  const stopping = new AbortController();
  const loading = loadSharedReads(services, stopping.signal);
  const siteChanges = followSiteFiles(services, findBroken);
  changes.on("siteFile", siteChanges.request);
  siteChanges.request();

  const host: CommandHost = {
    config,
    siteFolder,
    siteFiles,
    database: async () => db,
    withoutWriters: database.withoutWriters,
    takeSnapshot: database.takeSnapshot,
    clock,
    log,
    fetch,
    runInWorker,
    services: async () => services,
    isServing: true,
    worstDelay: watchdog.findWorst,
  };
  heldFolder.runCommandsWith((argv, caller) => {
    const command = nameForLog(commands, argv);
    const run = () =>
      runCommand(commands, argv, { ...caller, ...host }).catch((error) => {
        // The caller sees only the message of the error, so the log has the rest.
        log.error("command.failed", { command, ...errorFields(error) });
        throw error;
      });
    return activities.track(`newsroom ${command}`, run);
  });
  const ping = createPing(db);
  return {
    services,
    cache,
    banner,
    radio,
    handleStream,
    /**
     * Disconnects the listeners of the radio and of live stories, because streams have no end of
     * their own.
     */
    closeStreams() {
      radio.close();
      liveStories.close();
    },
    /** The metrics that only a running server can measure. */
    metrics: [
      ...metricGroups(services, backups),
      // The last known references are counted, because comparing all files for each reading takes
      // too long.
      problemMetrics(async () => [...(await site.findProblems()), ...(brokenReferences ?? [])]),
      cacheMetrics(cache),
      watchdog.metrics,
      databaseMetrics(ping, database.countStatements),
      processMetrics(config.dataDir),
      radioMetrics(radio, config.radio),
    ],
    images,
    activities,
    watchdog,
    ping,
    async stop() {
      stopping.abort();
      watchdog.stop();
      alerts.stop();
      site.stop();
      // Workers close first, so that nothing below waits for a document to be parsed.
      await workers.close();
      await Promise.all([index.stop(), siteChanges.stop(), loading]);
      // Together, so that the database can still be closed if both take as long as they may.
      await Promise.all([stopJobs(), services.mail.close()]);
      await tally.stop();
      await stopListening();
      await database.close();
      await heldFolder.release();
    },
  };
}

/**
 * How long a ping waits for the database. A load balancer usually waits two seconds for a response,
 * so this is shorter.
 */
const pingTimeoutMs = 1_500;

/**
 * The returned function fails if the database does not respond in time. Concurrent calls share one
 * query.
 */
function createPing(db: Database) {
  const pings = createInFlight<unknown>();
  const query = async () => db.select({ found: sql`1` }).from(secrets).limit(1);
  return () =>
    withTimeout(pings.share("ping", query), pingTimeoutMs, "The database does not respond.");
}
