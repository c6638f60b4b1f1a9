import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { SetupError } from "./process/setup-error.ts";
import { listCities } from "./site/choose-city.ts";
import { loadConfig, readEnvFile } from "./site/config.ts";

/**
 * Runs one development server per city, each in its own process, as in production. The default city
 * has the usual port, and the others have the next ones. Returns the exit code.
 */
export async function serveAllCities(): Promise<number> {
  const env = { ...process.env };
  const forAll = { ...readEnvFile(".env"), ...env };
  for (const name of ["DATA_DIR", "DATABASE_URL"])
    if (forAll[name])
      throw new SetupError(
        `${name} is set for all cities, but each city needs its own. Set it in .env.baltimore and so on.`,
      );
  const { siteFolder, port } = loadConfig();
  const first = basename(siteFolder);
  const others = listCities(dirname(siteFolder)).filter((city) => city !== first);
  const servers: { child: ChildProcess; ended: Promise<unknown[]> }[] = [];
  let isEnding = false;
  // Ctrl-C reaches the other processes without us.
  process.on("SIGINT", () => {
    isEnding = true;
  });
  process.on("SIGTERM", () => {
    isEnding = true;
    for (const { child } of servers) child.kill("SIGTERM");
  });
  let ready = "";
  // One after the other, because each deletes the generated types of routes and writes them again.
  for (const [index, city] of [first, ...others].entries()) {
    if (isEnding) break;
    const ownPort = port + index;
    const child = spawn(process.execPath, [...process.execArgv, "server/dev.ts"], {
      env: { ...env, SITE: city, PORT: String(ownPort) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "exit");
    servers.push({ child, ended });
    const isReady = await Promise.race([printOutput(city, child), ended.then(() => false)]);
    // Browsers send cookies to all ports of a host, so each city has its own host name. Browsers
    // find every name that ends in .localhost on the same computer.
    ready += isReady
      ? `\n  http://${city}.localhost:${ownPort}`
      : `\n  ${city} has stopped, see above`;
  }
  console.log(`The cities are ready:${ready}`);
  const codes = await Promise.all(servers.map(async ({ ended }) => (await ended)[0]));
  return codes.every((code) => code === 0) ? 0 : 1;
}

/** Prints every line with the name of its city. Resolves when the server accepts requests. */
function printOutput(city: string, { stdout, stderr }: ChildProcess): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  for (const stream of [stdout, stderr])
    if (stream)
      createInterface(stream).on("line", (line) => {
        console.log(`${city} | ${line}`);
        if (line.includes("is running in development mode")) resolve(true);
      });
  return promise;
}
