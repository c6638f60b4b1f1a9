import { setTimeout as pause } from "node:timers/promises";
import type * as bundle from "./app.ts";
import { closeHttpServer, createHttpServer, listen, stopTimes } from "./http/http.ts";
import { createRequestTimes } from "./http/request-times.ts";
import { buildIfNeeded } from "./process/build.ts";
import { openMetrics } from "./process/metrics.ts";
import { keepNotifying, notifySystemd } from "./process/notify.ts";
import { failToStart } from "./process/setup-error.ts";
import { loadSettings } from "./site/config.ts";

async function main(): Promise<void> {
  process.env.NODE_ENV = "production";
  const config = loadSettings();
  const { clientFolder, serverEntry } = await buildIfNeeded(console.log);
  const { boot, createApp }: typeof bundle = await import(serverEntry);
  const booted = await boot(config);
  const { services, metrics, activities, watchdog, handleStream, stop } = booted;
  const app = createApp(booted, config, { clientFolder, mode: "production" });
  const times = config.metricsPort === undefined ? undefined : createRequestTimes();
  const server = createHttpServer({
    ...app,
    log: services.log,
    times,
    handleStream,
    proxies: config.proxies,
    activities,
  });
  const groups = [...metrics, ...(times ? [times.metrics] : [])];
  const openPorts = async () => {
    if (config.metricsPort !== undefined)
      await openMetrics({ port: config.metricsPort, groups, log: services.log });
    return listen(server, config.host, config.port);
  };
  const url = await openPorts().catch(async (error) => {
    await stop();
    throw error;
  });
  // Now readers can send requests. Delays during startup are not worth a report.
  watchdog.start();
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      // A second signal, such as Ctrl-C, ends the process at once.
      if (isStopping) process.exit(1);
      isStopping = true;
      notifySystemd("STOPPING=1", services.log);
      booted.closeStreams();
      await closeHttpServer(server, stopTimes.requestsMs);
      const isStopped = await Promise.race([
        stop().then(() => true),
        pause(stopTimes.otherMs, false),
      ]);
      if (!isStopped) services.log.warn("stop.incomplete", { waitedMs: stopTimes.otherMs });
      process.exit(isStopped ? 0 : 1);
    });
  }
  notifySystemd("READY=1", services.log);
  keepNotifying(services.log);
  console.log(`Harborline is running at ${url}`);
}

await main().catch(failToStart);
