import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { chmod, readdir, stat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ne } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { tallies } from "../../app/features/tally/schema.server.ts";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { openDatabase } from "../../db/client.ts";
import { claimDataFolder } from "../../server/process/command-socket.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { findFreePort } from "../support/free-port.ts";
import { makeNewCity } from "../support/new-city.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { mountDisk, mountProblem, type SmallDisk } from "../support/small-disk.ts";

let data: Awaited<ReturnType<typeof createDataFolder>>;
beforeEach(async () => {
  data = await createDataFolder();
});
afterEach(() => data.remove());

/** Starts a server with `npm start`. */
async function startWithNpm() {
  const child = spawn("npm", ["start"], {
    env: { ...process.env, PORT: "0", DATA_DIR: data.path, OFFLINE: "1" },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  // The output is closed when both npm and the server have ended.
  const ended = once(child, "close");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const serverUrl = /is running at (http:\S+)/.exec(output)?.[1];
      if (serverUrl) resolve(serverUrl);
    });
    child.on("close", () => reject(new Error(`The server has not started:\n${output}`)));
  });
  return {
    url,
    ended,
    stop: () => child.kill("SIGTERM"),
    /** Ends npm and the server if they are still running. */
    async kill() {
      try {
        process.kill(-Number(child.pid), "SIGKILL");
      } catch (error) {
        if (!hasErrorCode(error, "ESRCH")) throw error;
      }
      await ended;
    },
  };
}

describe("the server", () => {
  it("finishes an open request, and stores sign-ups and counts, when `npm start` receives SIGTERM", async () => {
    const databaseFolder = join(data.path, "database");
    await chmod(databaseFolder, 0o755);
    const { url, ended, stop, kill } = await startWithNpm();
    try {
      // Other users of the machine cannot read what the server stores.
      expect((await stat(databaseFolder)).mode & 0o077).toBe(0);
      for (const path of [
        "/search?q=Crab%20Cakes",
        "/search.data?q=crab+cakes",
        "/search?q=",
        "/none?x=1",
        "/none.data",
        "/none/_.data",
      ])
        await fetch(url + path);
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      const response = text(socket);
      const body = "email=slow%40example.com";
      socket.write(
        `POST /newsletter HTTP/1.1\r\nHost: localhost\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
      );
      // The response to a second request proves that the first request has arrived.
      await fetch(`${url}/healthz`);
      stop();
      // The server has received the signal when it accepts no more connections.
      await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
      socket.write(body.slice(5));
      expect(await response).toMatch(/^HTTP\/1\.1 200/);
      await ended;
    } finally {
      await kill();
    }
    const database = await openDatabase({ dataDir: data.path, onError: console.error });
    try {
      expect(await database.db.select({ email: subscribers.email }).from(subscribers)).toEqual([
        { email: "slow@example.com" },
      ]);
      const counts = await database.db
        .select({ kind: tallies.kind, key: tallies.key, count: tallies.count })
        .from(tallies)
        .where(ne(tallies.kind, "unanswered"))
        .orderBy(tallies.key);
      expect(counts).toEqual([
        { kind: "missing", key: "/none", count: 2 },
        { kind: "missing", key: "/none/", count: 1 },
        { kind: "search", key: "crab cakes", count: 2 },
      ]);
    } finally {
      await database.close();
    }
  });
});

describe("npm run dev -- --all", () => {
  // The data of these cities are in var/cities, because DATA_DIR cannot be set for all cities.
  const cities = ["dev-test-one", "dev-test-two"];
  const dataFolders = cities.map((city) => join("var/cities", city));
  const removeData = () => {
    for (const folder of dataFolders) rmSync(folder, { recursive: true, force: true });
  };
  afterEach(removeData);

  it("serves the sources directly, every city at a port of its own, and says which city cannot start", async () => {
    removeData();
    const sites = join(data.path, "sites");
    for (const city of cities) makeNewCity(join(sites, city));
    for (const folder of dataFolders) cpSync(data.path, folder, { recursive: true });
    // The other city stops before Vite reads all our modules for it, which takes the most time.
    writeFileSync(join("var/cities/dev-test-one", "city"), "another-city\n");
    const port = await findFreePort();
    const env = { SITES_DIR: sites, SITE: "dev-test-two", PORT: String(port) };
    const server = await startServer(env, "server/dev.ts --all");
    try {
      await expect.poll(server.output).toContain("The cities are ready:");
      expect(server.output()).toContain("  dev-test-one has stopped, see above\n");
      expect(server.output()).toContain(`  http://dev-test-two.localhost:${port}\n`);
      const page = await (await fetch(`http://127.0.0.1:${port}/about`)).text();
      expect(page).toContain("About Harborline Baltimore");
      expect(page).toContain("/app/entry.client.tsx");
    } finally {
      await server.stop();
    }
    expect(server.process.exitCode).toBe(1);
    expect(await readdir("var/cities/dev-test-two")).not.toContain("newsroom.sock");
  });
});

describe("a server that cannot start", () => {
  /** Returns what the server prints before it exits with code 1. */
  async function readStartError(env: Record<string, string>): Promise<string> {
    const error = await startServer(env).then(
      async (server) => {
        await server.stop();
        return expect.unreachable();
      },
      (reason: unknown) => String(reason),
    );
    const [, message = ""] = /exited with code 1 before it was ready:\n(.*)\n$/s.exec(error) ?? [];
    return message;
  }

  it("says which setting is not valid, without a stack trace", async () => {
    expect(await readStartError({ DATA_DIR: data.path, PORT: "eighty" })).toBe(
      "These environment variables are not valid:\n  PORT: must be a number from 0 to 65535",
    );
  });

  it.each([
    ["PORT", "Choose another port: PORT="],
    ["METRICS_PORT", "Set METRICS_PORT to another port."],
  ])("says that its %s is in use, before it opens the database", async (setting, advice) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : "");
    const folder = join(data.path, "new");
    expect(await readStartError({ DATA_DIR: folder, [setting]: port })).toContain(
      `Port ${port} is already in use. ${advice}`,
    );
    expect(await readdir(folder)).not.toContain("database");
    other.close();
  });

  it("says in one line that another server or command uses its data folder", async () => {
    const claim = await claimDataFolder(data.path);
    if (claim.kind !== "ours") return expect.unreachable();
    try {
      expect(await readStartError({ DATA_DIR: data.path })).toBe(
        `${data.path} is in use by a running server or command. Stop it, or set DATA_DIR to another folder.`,
      );
    } finally {
      await claim.folder.release();
    }
  });
});

if (mountProblem) it.skip(`the server on a full disk is not tested: ${mountProblem}`, () => {});

describe.skipIf(mountProblem)("the server on a full disk", () => {
  const megabyte = 1024 * 1024;
  let disk: SmallDisk;
  let server: RunningServer | undefined;
  beforeEach(() => {
    disk = mountDisk(240 * megabyte);
  });
  afterEach(async () => {
    await server?.stop("SIGKILL");
    disk.unmount();
  });

  it("serves pages from the start, keeps what readers typed into forms, and stores again when there is room", async () => {
    cpSync(data.path, disk.path, { recursive: true });
    disk.leaveFree(megabyte);
    server = await startServer({ DATA_DIR: disk.path, TRUST_PROXY: "1" });
    const { url, stop } = server;
    const story = `/news/${(await readdir("sites/baltimore/news"))[0]?.replace(/\.md$/, "")}`;
    let visitors = 0;
    /** Each time as another visitor, because the number of forms of one visitor is limited. */
    const subscribe = (email: string) => {
      visitors += 1;
      const headers = { "x-forwarded-for": `10.0.${visitors >> 8}.${visitors & 255}` };
      const body = new URLSearchParams({ email });
      return fetch(`${url}/newsletter`, { method: "POST", headers, body });
    };
    const expectPagesToWork = async () => {
      const paths = ["/", "/about", "/faq", "/local", story, "/healthz"];
      const responses = await Promise.all(paths.map((path) => fetch(url + path)));
      expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200));
    };
    const expectRefusal = async (email: string) => {
      const response = await subscribe(email);
      expect(response.status).toBe(503);
      const page = await response.text();
      expect(page).toContain(email);
      // A page with a filled-in form does not reload automatically.
      expect(page).not.toContain('http-equiv="refresh"');
    };
    await expectPagesToWork();
    await expectRefusal("start@example.com");
    for (const path of [
      "/readyz",
      "/search?q=harbor",
      "/status",
      "/status.json",
      "/archives",
      "/archives.data",
    ])
      expect(await fetch(url + path), path).toMatchObject({ status: 503 });
    const status = await fetch(`${url}/status`);
    expect(status.headers.get("retry-after")).toBe("30");
    const page = await status.text();
    expect(page).toContain(
      "which is not responding right now. It reloads automatically every 30 seconds.",
    );
    expect(page).toContain('<noscript><meta http-equiv="refresh" content="30"/></noscript>');

    disk.leaveFree(110 * megabyte);
    await expect.poll(async () => (await subscribe("first@example.com")).status).toBe(200);

    disk.leaveFree(megabyte);
    await expect.poll(async () => (await subscribe("second@example.com")).status).toBe(503);
    await expectRefusal("second@example.com");
    await expectPagesToWork();
    // These pages are opened for the first time. They work because the server stored the secrets
    // that they need at its first start.
    for (const path of ["/search?q=harbor", "/blog", "/contact/form"])
      expect(await fetch(url + path), path).toMatchObject({ status: 200 });

    disk.leaveFree(110 * megabyte);
    await expect.poll(async () => (await subscribe("third@example.com")).status).toBe(200);
    expect(await stop()).toBe(0);
    const { db, close } = await openDatabase({ dataDir: disk.path, onError: console.error });
    const storedEmails = (await db.select().from(subscribers)).map(({ email }) => email);
    await close();
    expect(storedEmails).toEqual(
      expect.arrayContaining(["first@example.com", "third@example.com"]),
    );
  });
});
