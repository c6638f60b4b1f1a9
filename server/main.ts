import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { errorFields, type Log } from "../app/lib/log.ts";
import type * as bundle from "./app.ts";
import { closeHttpServer, createHttpServer, stopTimes } from "./http/http.ts";
import { createRequestTimes } from "./http/request-times.ts";
import { buildIfNeeded } from "./process/build.ts";
import { claimDataFolderForServer } from "./process/command-socket.ts";
import { metricsHost, openMetrics } from "./process/metrics.ts";
import { listen, requirePort } from "./process/ports.ts";
import { failToStart } from "./process/setup-error.ts";
import { loadConfig } from "./site/config.ts";

async function main(): Promise<void> {
  process.env.NODE_ENV = "production";
  const config = loadConfig();
  const { metricsPort } = config;
  const { clientFolder, serverEntry, build } = await buildIfNeeded(console.log);
  const heldFolder = await claimDataFolderForServer(config.dataDir);
  // Before the database is opened and jobs run.
  await requirePort(config);
  if (metricsPort !== undefined)
    await requirePort({ host: metricsHost, port: metricsPort }, "METRICS_PORT");
  const { boot, createApp }: typeof bundle = await import(serverEntry);
  const booted = await boot(config, { heldFolder, build });
  const { services, metrics, activities, watchdog, handleStream, stop } = booted;
  const { servePage, handleRequest, acceptsFiles } = createApp(booted, config, {
    clientFolder,
    mode: "production",
  });
  const times = metricsPort === undefined ? undefined : createRequestTimes();
  const server = createHttpServer({
    log: services.log,
    times,
    handleStream,
    servePage,
    handleRequest,
    acceptsFiles,
    proxies: config.proxies,
    activities,
  });
  const groups = [...metrics, ...(times ? [times.metrics] : [])];
  const openPorts = async () => {
    if (metricsPort !== undefined)
      await openMetrics({ port: metricsPort, groups, log: services.log });
    return listen(server, config);
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

/**
 * Tells systemd (Type=notify in deploy/harborline@.service) the state of this process. Node.js has no
 * Unix datagram sockets, so systemd's own program sends the message.
 */
function notifySystemd(state: "READY=1" | "STOPPING=1" | "WATCHDOG=1", log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  const child = spawn("systemd-notify", [state], { stdio: "ignore" });
  // If systemd does not get the message, it stops the process after a timeout.
  child.once("error", (error) =>
    log.error("systemd.not_notified", { state, ...errorFields(error) }),
  );
  child.once("exit", (code) => {
    if (code !== 0) log.error("systemd.not_notified", { state, code });
  });
}

/**
 * Tells systemd regularly that this process works. If the event loop is blocked for WatchdogSec,
 * systemd gets no message and restarts the process.
 */
function keepNotifying(log: Log): void {
  const timeoutMs = Number(process.env.WATCHDOG_USEC ?? 0) / 1_000;
  if (timeoutMs > 0) setInterval(() => notifySystemd("WATCHDOG=1", log), timeoutMs / 3).unref();
}

await main().catch(failToStart);
