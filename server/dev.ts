import { basename } from "node:path";
import { createServer as createVite } from "vite";
import type * as bundle from "./app.ts";
import { serveAllCities } from "./dev-cities.ts";
import { createHttpServer, type RequestInfo } from "./http/http.ts";
import { claimDataFolderForServer } from "./process/command-socket.ts";
import { listen, requirePort } from "./process/ports.ts";
import { failToStart } from "./process/setup-error.ts";
import { loadConfig } from "./site/config.ts";

/** Runs the server directly from the sources, with hot reload. */
async function main(): Promise<void> {
  const config = loadConfig();
  const heldFolder = await claimDataFolderForServer(config.dataDir);
  await requirePort(config);
  const vite = await createVite({
    // Each city has its own port for reloading, and its own cache, so that several can run. For
    // port 3000 it is the usual port of Vite.
    server: { middlewareMode: true, hmr: { port: (config.port + 21_678) % 65_536 } },
    cacheDir: `node_modules/.vite/${basename(config.siteFolder)}`,
    appType: "custom",
  });
  // At SIGTERM, the Vite server of a plugin would end the process before the database is closed.
  process.removeAllListeners("SIGTERM");
  const load = async (): Promise<typeof bundle> => {
    const module: Record<string, unknown> = await vite.ssrLoadModule("./server/app.ts");
    // Vite types every loaded module as a record, but the type of this one is known.
    return module as typeof bundle;
  };
  const { boot } = await load();
  const booted = await boot(config, { heldFolder });
  const { services, handleStream, stop } = booted;
  const handleRequest = async (request: Request, info: RequestInfo) => {
    // Vite loads a changed module again, and only a new app uses it.
    const { createApp } = await load();
    // Vite serves the assets itself.
    const app = createApp(booted, config, { clientFolder: "", mode: "development" });
    return app.handleRequest(request, info);
  };
  const server = createHttpServer({
    log: services.log,
    handleRequest,
    handleStream,
    proxies: config.proxies,
    middleware: vite.middlewares,
  });
  const url = await listen(server, config);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      booted.closeStreams();
      server.closeAllConnections();
      await vite.close();
      await stop();
      process.exit(0);
    });
  }
  console.log(`Harborline is running in development mode at ${url}`);
}

if (process.argv.includes("--all")) process.exit(await serveAllCities().catch(failToStart));
else await main().catch(failToStart);
