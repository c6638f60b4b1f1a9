import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { ne } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { subscribers } from "../../app/features/newsletter/schema.server.ts";
import { tallies } from "../../app/features/tally/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { createDataFolder } from "../support/data-folder.ts";
import { startServer } from "../support/server.ts";
import { mountDisk, mountProblem } from "../support/small-disk.ts";

let data: Awaited<ReturnType<typeof createDataFolder>>;
beforeEach(async () => {
  data = await createDataFolder();
});
afterEach(() => data.remove());

describe("the server", () => {
  it("finishes an open request before it stops", async () => {
    const server = await startServer({ DATA_DIR: data.path });
    const { port } = new URL(server.url);
    const { connect } = await import("node:net");
    const socket = connect(Number(port), "127.0.0.1");
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk.toString();
    });
    await once(socket, "connect");
    const body = "email=slow%40example.com";
    socket.write(
      `POST /newsletter HTTP/1.1\r\nHost: localhost\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    // The response to a second request proves that the first request has arrived.
    await fetch(`${server.url}/healthz`);
    const stopped = server.stop();
    const closed = once(socket, "close");
    socket.write(body.slice(5));
    await closed;
    expect(response).toMatch(/^HTTP\/1\.1 200/);
    expect(await stopped).toBe(0);
  });

  it("stores sign-ups and counts before it stops", async () => {
    const server = await startServer({ DATA_DIR: data.path });
    await fetch(`${server.url}/newsletter`, {
      method: "POST",
      body: new URLSearchParams({ email: "a@example.com" }),
    });
    for (const path of [
      "/search?q=Crab%20Cakes",
      "/search.data?q=crab+cakes",
      "/search?q=",
      "/none?x=1",
      "/none.data",
      "/none/_.data",
    ]) {
      await fetch(server.url + path);
    }
    expect(await server.stop("SIGINT")).toBe(0);

    const database = await openDatabase({ dataDir: data.path, onError: console.error });
    const emails = await database.db.select({ email: subscribers.email }).from(subscribers);
    const counts = await database.db
      .select({ kind: tallies.kind, key: tallies.key, count: tallies.count })
      .from(tallies)
      .where(ne(tallies.kind, "unanswered"))
      .orderBy(tallies.key);
    await database.close();
    expect(emails).toEqual([{ email: "a@example.com" }]);
    expect(counts).toEqual([
      { kind: "missing", key: "/none", count: 2 },
      { kind: "missing", key: "/none/", count: 1 },
      { kind: "search", key: "crab cakes", count: 2 },
    ]);
  });

  it("keeps its data private from other users of the machine, and fits into 512 MB at its first start", async () => {
    const server = await startServer({ DATA_DIR: join(data.path, "new") });
    const status = await readFile(`/proc/${server.process.pid}/status`, "utf8").catch(
      () => "VmHWM: 0 kB",
    );
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(512 * 1024);
    for (const folder of ["new", "new/database"]) {
      expect((await stat(join(data.path, folder))).mode & 0o077, folder).toBe(0);
    }
    await server.stop();
  });

  it("stops when `npm start` receives SIGTERM", async () => {
    const child = spawn("npm", ["start"], {
      env: { ...process.env, PORT: "0", DATA_DIR: data.path },
      detached: false,
    });
    let output = "";
    const runningUrl = new Promise<string>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const url = /is running at (http:\S+)/.exec(output)?.[1];
        if (url) resolve(url);
      });
    });
    const url = await runningUrl;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await expect.poll(() => fetch(url).catch(() => "gone"), { timeout: 15_000 }).toBe("gone");
  });

  it("serves the sources directly in development", async () => {
    const server = await startServer({ DATA_DIR: data.path }, "server/dev.ts");
    const page = await (await fetch(`${server.url}/about`)).text();
    expect(page).toContain("About Harborline Baltimore");
    expect(page).toContain("/app/entry.client.tsx");
    await server.stop();
  });

  it("does not share its data folder with a second server", async () => {
    const firstServer = await startServer({ DATA_DIR: data.path });
    await expect(startServer({ DATA_DIR: data.path })).rejects.toThrow(
      "is in use by a running server or command",
    );
    expect((await fetch(`${firstServer.url}/healthz`)).status).toBe(200);
    await firstServer.stop();
  });

  it("reports in one line that its port is in use", async () => {
    const otherServer = createServer().listen(0, "127.0.0.1");
    await once(otherServer, "listening");
    const address = otherServer.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    await expect(startServer({ DATA_DIR: data.path, PORT: port })).rejects.toThrow(
      `Port ${port} is already in use.`,
    );
    otherServer.close();
  });

  it("names each invalid setting", async () => {
    const invalidSettings = {
      PORT: "eighty",
      DATABASE_URL: "mysql://localhost/x",
      TRUST_PROXY: "yes",
    };
    const failedStart = startServer({ DATA_DIR: data.path, ...invalidSettings });
    for (const name of Object.keys(invalidSettings))
      await expect(failedStart).rejects.toThrow(`  ${name}: `);
    // Other setup errors are one line as well, without a stack trace.
    const settings = {
      "Could not use the data folder /proc/no: it cannot be created there. Set DATA_DIR to another path.":
        {
          DATA_DIR: "/proc/no",
        },
      "(DATABASE_URL): the connection was refused. Check that Postgres is running.": {
        DATABASE_URL: "postgres://city@127.0.0.1:1/news",
      },
    };
    await Promise.all(
      Object.entries(settings).map(async ([message, env]) => {
        const error = await startServer({ DATA_DIR: data.path, ...env }).catch(String);
        expect(error).toContain("exited with code 1 before");
        expect(String(error).trimEnd().split("\n").slice(1)).toEqual([
          expect.stringContaining(message),
        ]);
      }),
    );
  });

  it("asks for the SITE setting if there are several cities", async () => {
    for (const city of ["annapolis", "baltimore"])
      await mkdir(join(data.path, "sites", city), { recursive: true });
    const env = { DATA_DIR: data.path, SITES_DIR: join(data.path, "sites") };
    await expect(startServer(env)).rejects.toThrow(
      "Which city? Set SITE to one of: annapolis, baltimore.",
    );
  });
});

if (mountProblem) it.skip(`the server on a full disk is not tested: ${mountProblem}`, () => {});

describe.skipIf(mountProblem)("the server on a full disk", () => {
  it("serves pages from the start, keeps what readers typed into forms, and stores again when there is room", async () => {
    const megabyte = 1024 * 1024;
    const disk = mountDisk(240 * megabyte);
    cpSync(data.path, disk.path, { recursive: true });
    disk.leaveFree(megabyte);
    const server = await startServer({ DATA_DIR: disk.path });
    const story = `/news/${(await readdir("sites/baltimore/news"))[0]?.replace(/\.md$/, "")}`;
    const subscribe = (email: string) =>
      fetch(`${server.url}/newsletter`, { method: "POST", body: new URLSearchParams({ email }) });
    const expectPagesToWork = async () => {
      const paths = ["/", "/about", "/faq", story, "/healthz"];
      const responses = await Promise.all(paths.map((path) => fetch(server.url + path)));
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
      "/local",
      "/local.data",
    ])
      expect(await fetch(server.url + path), path).toMatchObject({ status: 503 });
    const status = await fetch(`${server.url}/status`);
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
      expect(await fetch(server.url + path), path).toMatchObject({ status: 200 });

    disk.leaveFree(110 * megabyte);
    await expect.poll(async () => (await subscribe("third@example.com")).status).toBe(200);
    expect(await server.stop()).toBe(0);
    const { db, close } = await openDatabase({ dataDir: disk.path, onError: console.error });
    const storedEmails = (await db.select().from(subscribers)).map(({ email }) => email);
    await close();
    disk.unmount();
    expect(storedEmails).toEqual(
      expect.arrayContaining(["first@example.com", "third@example.com"]),
    );
  });
});
