import type { Server } from "node:http";
import { type App, boot, failToStart } from "./boot.ts";
import { buildIfNeeded, clientFolder, serverEntry } from "./build.ts";
import { readConfig, SetupError } from "./config.ts";
import { closeHttpServer, createHttpServer } from "./http.ts";

/** How long open requests may take to finish after the signal to stop. */
const graceMs = 10_000;

async function main(): Promise<void> {
  process.env.NODE_ENV = "production";
  const config = readConfig(process.env);
  await buildIfNeeded(console.log);
  const app: App = await import(serverEntry);
  const { context, ping, stop } = await boot(config, app);
  const fetch = app.createApp({
    ...context,
    ping,
    clientFolder,
    mode: "production",
    siteFolder: config.siteFolder,
    trustProxy: config.trustProxy,
  });
  const server = createHttpServer((request) => fetch(request));
  const port = await listen(server, config.host, config.port).catch(async (error) => {
    await stop();
    throw error;
  });
  console.log(
    `Harborline is open: http://${config.host === "127.0.0.1" ? "localhost" : config.host}:${port}`,
  );

  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      // A second Ctrl-C is somebody who does not want to wait.
      if (stopping) process.exit(1);
      stopping = true;
      await closeHttpServer(server, graceMs);
      await stop();
      process.exit(0);
    });
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const busy = error.code === "EADDRINUSE";
      reject(
        busy ? new SetupError(`Port ${port} is in use. Choose another: PORT=${port + 1} npm start`) : error,
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

await main().catch(failToStart);
