import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { newsletterRule } from "../../app/features/newsletter/subscribers/subscribe.server.ts";
import { streamSrc } from "../../app/features/radio/model.ts";
import { maxListenersPerVisitor } from "../../server/site/config.ts";
import { startBalancer } from "../support/balancer.ts";
import { runInServer } from "../support/newsroom.ts";
import { type Nginx, startNginx } from "../support/nginx.ts";
import { createDatabase } from "../support/postgres.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";
import { listenAsSystemd } from "../support/systemd.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const nginxProgram = inject("nginx");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let databaseUrl: string;
/** The nodes reach Postgres through this proxy. Other tests use the same Postgres. */
let databaseProxy: TcpProxy;
let systemd: Awaited<ReturnType<typeof listenAsSystemd>>;
let nodes: [RunningServer, RunningServer];
let proxy: Pick<Nginx, "request" | "stop">;

const nodeFolder = (index: 0 | 1) => join(folder.path, index === 0 ? "one" : "two");

/**
 * Starts a node with its own data folder, as on a separate machine. Its clock can be set, because a
 * form is accepted only some time after its page was opened.
 */
function startNode(index: 0 | 1, port = "0", env = {}): Promise<RunningServer> {
  const nodeDatabaseUrl = new URL(databaseUrl);
  nodeDatabaseUrl.port = new URL(databaseProxy.url).port;
  return startServer({
    DATA_DIR: nodeFolder(index),
    DATABASE_URL: nodeDatabaseUrl.href,
    TRUST_PROXY: "127.0.0.1",
    PORT: port,
    FAKE_NOW: new Date().toISOString(),
    ...env,
  });
}
const restartNode = async (index: 0 | 1, env = {}) => {
  nodes[index] = await startNode(index, new URL(nodes[index].url).port, env);
};

beforeAll(async () => {
  folder = await temporaryFolder();
  systemd = await listenAsSystemd(folder.path);
  databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
  databaseProxy = await startTcpProxy(databaseUrl);
  nodes = await Promise.all([startNode(0), startNode(1)]);
  const nodeUrls: [string, string] = [nodes[0].url, nodes[1].url];
  // nginx runs without its cache, so that it passes every request to a node.
  proxy = nginxProgram
    ? await startNginx(nginxProgram, nodeUrls, { microCache: false })
    : await startBalancer(nodeUrls);
});
afterAll(async () => {
  // If the start failed, only some of them exist.
  await proxy?.stop();
  await Promise.all((nodes ?? []).map((node) => node.stop()));
  databaseProxy?.disconnect();
  await systemd?.close();
  await folder.remove();
});

/** Requests a page and returns what the node's log says about the page cache: "hit" or "miss". */
async function readCacheState(node: RunningServer, path: string): Promise<string | undefined> {
  const response = await fetch(node.url + path);
  await response.text();
  const id = `"id":"${response.headers.get("x-request-id")}"`;
  await expect.poll(() => node.output()).toContain(id);
  const line = node
    .output()
    .split("\n")
    .find((candidate) => candidate.includes(id));
  return /"cache":"(\w+)"/.exec(line ?? "")?.[1];
}

/** Reads all files in a folder and its subfolders, and joins their contents. */
async function readAllFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")),
  );
  return texts.join("\n");
}

const readerCount = 4;
/** Readers who request pages without a break would slow down the nodes that start. */
const readerPauseMs = 50;

/**
 * Lets readers request pages until `work` is done. Returns the number of pages that they received,
 * and every failure.
 */
async function readMeanwhile(
  work: () => Promise<unknown>,
): Promise<{ readCount: number; failed: string[] }> {
  let isDone = false;
  let readCount = 0;
  const failed: string[] = [];
  const reader = async (_: unknown, readerNumber: number) => {
    for (let turn = 0; !isDone; turn += 1) {
      const path = ["/", "/about", "/privacy", "/about.data"][turn % 4] ?? "/";
      // The readers use many IP addresses, because each IP address has a rate limit.
      const from = `127.0.${readerNumber + 1}.${(turn % 8) + 1}`;
      const { status } = await proxy
        .request(path, { from })
        .catch((error: Error) => ({ status: error.message }));
      if (status === 200) readCount += 1;
      else failed.push(`${path}: ${status}`);
      await pause(readerPauseMs);
    }
  };
  const readers = Array.from({ length: readerCount }, reader);
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(readers);
  return { readCount, failed };
}

/** Resolves when each node has served another request. */
const whenBothServe = () =>
  Promise.all(
    nodes.map(async ({ output }) => {
      const before = output().length;
      await expect.poll(() => output().slice(before)).toContain('"event":"request"');
    }),
  );

const readReadiness = () =>
  Promise.all(
    nodes.map(async ({ url }) => {
      const response = await fetch(`${url}/readyz`);
      await response.text();
      return response.status;
    }),
  );

async function runQuery(text: string): Promise<void> {
  const operator = new pg.Client({ connectionString: databaseUrl });
  await operator.connect();
  await operator.query(text);
  await operator.end();
}

/** Closes all connections to the database, as a restart of Postgres does. */
const closeDatabaseConnections = () =>
  runQuery(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

/** Tells both nodes that a page is outdated, as a node does that changes its data. */
const purgePage = (path: string) =>
  runQuery(`select pg_notify('harborline_purge', 'page:${path}')`);

describe("two nodes on one database", () => {
  it("both render a page again when it is purged, and both keep the other pages cached", async () => {
    for (const node of nodes)
      for (const path of ["/about", "/terms"])
        await expect.poll(() => readCacheState(node, path)).toBe("hit");
    await purgePage("/about");
    for (const node of nodes) {
      await expect.poll(() => readCacheState(node, "/about")).toBe("miss");
      expect(await readCacheState(node, "/terms")).toBe("hit");
    }
    await runInServer(nodeFolder(1), ["purge"]);
    for (const node of nodes) await expect.poll(() => readCacheState(node, "/terms")).toBe("miss");
  });

  it("share the form limit of a visitor", async () => {
    // The limit is counted per hour of the clock, so the hour must not end meanwhile.
    const setClocks = (now: Date) =>
      Promise.all(nodes.map((node) => node.setClock(now.toISOString())));
    onTestFinished(async () => void (await setClocks(new Date())));
    await setClocks(new Date(new Date().setUTCMinutes(10)));
    const statuses: number[] = [];
    for (let turn = 0; turn <= newsletterRule.limit.perHour.visitor; turn += 1) {
      const response = await fetch(`${nodes[turn % 2]?.url}/newsletter`, {
        method: "POST",
        headers: { "x-forwarded-for": "192.0.2.7" },
        body: new URLSearchParams({ email: `turn-${turn}@example.com` }),
      });
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: newsletterRule.limit.perHour.visitor }, () => 200),
      429,
    ]);
  });

  it("serve every reader when one node is killed and, as soon as it is back, systemd restarts the other", async () => {
    const { readCount, failed } = await readMeanwhile(async () => {
      for (const [index, signal] of [
        [0, "SIGKILL"],
        [1, "SIGTERM"],
      ] as const) {
        await whenBothServe();
        const code = await nodes[index].stop(signal);
        if (signal === "SIGTERM") expect(code).toBe(0);
        // If systemd's programs are not installed, a node counts as ready when it says so on
        // standard output.
        await restartNode(index, systemd?.env);
        await systemd?.waitForMessage("READY=1", index + 1);
      }
      await whenBothServe();
    });
    expect(failed).toEqual([]);
    expect(readCount).toBeGreaterThan(0);
    await systemd?.waitForMessage("WATCHDOG=1");
  });

  it("trust forwarded headers only from the IP address of the proxy", async () => {
    const node = new URL(nodes[0].url);
    const readHeaders = async (path: string, localAddress: string) => {
      const headers = { host: "localhost", "x-forwarded-proto": "https" };
      const outgoingRequest = request({
        agent: false,
        host: "127.0.0.1",
        port: node.port,
        path,
        localAddress,
        headers,
      }).end();
      const [response] = await once(outgoingRequest, "response");
      response.resume();
      return response.headers;
    };
    for (const path of ["/about", "/healthz"]) {
      expect(await readHeaders(path, "127.0.0.1")).toHaveProperty("strict-transport-security");
      expect(await readHeaders(path, "127.0.0.2")).not.toHaveProperty("strict-transport-security");
    }
  });

  it("keep serving while the database restarts, and receive purges again afterwards", async () => {
    const outputLengths = nodes.map(({ output }) => output().length);
    const { readCount, failed } = await readMeanwhile(async () => {
      await whenBothServe();
      await closeDatabaseConnections();
      databaseProxy.disconnect();
      try {
        expect(await readReadiness()).toEqual([503, 503]);
        await whenBothServe();
      } finally {
        await databaseProxy.reconnect();
      }
      await expect.poll(readReadiness).toEqual([200, 200]);
    });
    expect(failed).toEqual([]);
    expect(readCount).toBeGreaterThan(0);

    for (const [index, { output }] of nodes.entries())
      await expect
        .poll(() => output().slice(outputLengths[index]))
        .toContain('"event":"purge.connection_restored"');
    for (const node of nodes) await expect.poll(() => readCacheState(node, "/terms")).toBe("hit");
    await runInServer(nodeFolder(1), ["purge"]);
    for (const node of nodes) await expect.poll(() => readCacheState(node, "/terms")).toBe("miss");
  });

  it("give up on a database that does not respond, and tell readers that nothing they typed is lost", async () => {
    const [node] = nodes;
    const visitor = { "x-forwarded-for": "192.0.2.8" };
    const formPage = await (await fetch(`${node.url}/contact/form`, { headers: visitor })).text();
    const token = /name="token" value="([^"]+)"/.exec(formPage)?.[1] ?? "";
    await expect.poll(readReadiness).toEqual([200, 200]);
    // The server refuses a form that is sent within two seconds, because a person needs longer.
    await node.setClock(new Date(Date.now() + 10 * 60_000).toISOString());
    const send = async (path: string, fields?: Record<string, string>) => {
      const response = await fetch(node.url + path, {
        headers: visitor,
        ...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
      });
      return { status: response.status, text: await response.text() };
    };
    const subscribe = (email: string) => send("/newsletter", { email });
    databaseProxy.freeze();
    try {
      const message = { token, category: "tip", message: "The pier is dark." };
      const emails = Array.from({ length: 12 }, (_, index) => `silent${index}@example.com`);
      const [readiness, readable, sent, pages, refused] = await Promise.all([
        Promise.all([send("/readyz"), send("/readyz")]),
        Promise.all([send("/news/arabbers"), send("/local")]),
        send("/contact/form", message),
        Promise.all(["/search?q=harbor", "/status"].map((path) => send(path))),
        // There are more requests than connections, so that a connection that is not released
        // would be missing below.
        Promise.all(emails.map(subscribe)),
      ]);
      for (const { status } of readiness) expect(status).toBe(503);
      for (const { status } of readable) expect(status).toBe(200);
      for (const page of pages) {
        expect(page).toMatchObject({
          status: 503,
          text: expect.stringContaining("is not responding right now"),
        });
        expect(page.text).toContain("<footer");
      }
      const typed = [message.message, ...emails];
      for (const [index, form] of [sent, ...refused].entries()) {
        expect(form).toMatchObject({
          status: 503,
          text: expect.stringContaining("Nothing you typed is lost"),
        });
        expect(form.text).toContain(typed[index]);
      }
    } finally {
      databaseProxy.resume();
    }
    await expect.poll(readReadiness).toEqual([200, 200]);
    expect((await subscribe("later@example.com")).status).toBe(200);
  });
});

describe.skipIf(!nginxProgram)("behind nginx as configured in deploy/", () => {
  let nginx: Nginx;
  beforeAll(async () => {
    nginx = await startNginx(nginxProgram ?? "", [nodes[0].url, nodes[1].url]);
  });
  afterAll(() => nginx?.stop());

  it("readers are permanently redirected to HTTPS", async () => {
    for (const address of nginx.addresses) {
      const plainResponse = await nginx.requestWithoutTls("/about?x=1", { address });
      expect(plainResponse.status, address).toBe(301);
      expect(plainResponse.headers.location).toBe("https://baltimore.harborline.example/about?x=1");
    }
    const { status, headers } = await nginx.request("/about");
    expect(status).toBe(200);
    expect(headers["strict-transport-security"]).toMatch(/^max-age=/);
  });

  it("requests for another host name are refused", async () => {
    const otherHost = "evil.example";
    expect((await nginx.requestWithoutTls("/about", { host: otherHost })).status).toBe(421);
    expect((await nginx.request("/about", { headers: { host: otherHost } })).status).toBe(421);
    await expect(nginx.request("/about", { servername: otherHost })).rejects.toThrow(
      /unrecognized name/,
    );
  });

  it("an ACME challenge is served without TLS", async () => {
    await writeFile(join(nginx.folder, "acme/.well-known/acme-challenge/abc"), "proof");
    expect(await nginx.requestWithoutTls("/.well-known/acme-challenge/abc")).toMatchObject({
      status: 200,
      body: "proof",
    });
  });

  it("ranges of the video come from the nodes and are not cached", async () => {
    for (const query of ["", "?x=1", "?x=2"]) {
      const response = await nginx.request(`/film/harborline.mp4${query}`, {
        headers: { range: "bytes=8-15" },
      });
      expect(response).toMatchObject({ status: 206, headers: { "content-length": "8" } });
    }
    await nginx.request("/terms?cached");
    const readCache = () => readAllFiles(join(nginx.folder, "cache"));
    await expect.poll(readCache).toMatch(/KEY: .*\/terms\?cached/);
    expect(await readCache()).not.toMatch(/KEY: .*\/film\//);
  });

  it("no log contains an IP address, a search query or a token, even when a request fails", async () => {
    const from = "127.0.0.2";
    const secret = "?q=searchedword&token=secrettoken";
    const requestOptions = { from, headers: { referer: `/search${secret}` } };
    const tooLarge = { ...requestOptions, method: "POST", body: "a".repeat(2_000_000) };
    expect((await nginx.request(`/search${secret}`, requestOptions)).status).toBe(200);
    expect((await nginx.request(`/none${secret}`, requestOptions)).status).toBe(404);
    expect((await nginx.request(`/contact/form${secret}`, tooLarge)).status).toBe(413);
    const deadNode = "http://127.0.0.1:1";
    const withoutNodes = await startNginx(nginxProgram ?? "", [deadNode, deadNode], {
      tightLimits: true,
    });
    onTestFinished(withoutNodes.stop);
    for (let turn = 0; turn < 9; turn += 1)
      expect((await withoutNodes.request(`/search${secret}`, requestOptions)).status).toBe(502);
    while ((await withoutNodes.request(`/search${secret}`, requestOptions)).status !== 429);

    const readLogs = async () =>
      (await readAllFiles(join(nginx.folder, "logs"))) +
      (await readAllFiles(join(withoutNodes.folder, "logs")));
    for (const line of [
      "/search 200",
      "/none 404",
      "/contact/form 413",
      "/search 502",
      "/search 429",
    ])
      await expect.poll(readLogs).toContain(` ${line} `);
    expect(await readLogs()).not.toMatch(/127\.0\.0\.2\b|searchedword|secrettoken/);
  });

  it("a request is sent again to a node that has restarted, while the other one restarts", async () => {
    // This node ends its first connection instead of responding to the second request.
    let connections = 0;
    const node = createTcpServer((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      let requests = 0;
      socket.on("data", () => {
        requests += 1;
        if (isFirst && requests > 1) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    await once(node.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void node.close());
    const address = node.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const proxy = await startNginx(nginxProgram ?? "", [url, "http://127.0.0.1:1"]);
    onTestFinished(proxy.stop);
    expect((await proxy.request("/about")).status).toBe(200);
    expect((await proxy.request("/terms")).status).toBe(200);
    expect(connections).toBe(2);
  });

  it("a visitor with too many requests per second or too many open requests is refused, and other visitors are not", async () => {
    const limited = await startNginx(nginxProgram ?? "", [nodes[0].url, nodes[1].url], {
      tightLimits: true,
    });
    onTestFinished(limited.stop);
    const listener = { from: "127.0.0.3" };
    for (const status of [200, 200, 429])
      expect((await limited.openRequest(streamSrc, listener)).statusCode).toBe(status);
    const flood = Array.from({ length: 20 }, () =>
      limited.request("/healthz", { from: "127.0.0.4" }),
    );
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    expect((await limited.request("/healthz", { from: "127.0.0.5" })).status).toBe(200);
  });

  it("radio listeners are counted by their own IP addresses, not by the proxy's", async () => {
    const readers = Array.from(
      { length: 2 * maxListenersPerVisitor + 1 },
      (_, index) => `127.0.9.${index + 1}`,
    );
    const streams = await Promise.all(
      readers.map((from) => nginx.openRequest(streamSrc, { from })),
    );
    onTestFinished(() => {
      for (const stream of streams) stream.destroy();
    });
    expect(new Set(streams.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  it("a form is accepted only from the site's own origin", async () => {
    const send = (headers: Record<string, string>) =>
      nginx.request("/newsletter", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: "email=proxy%40example.com",
      });
    expect((await send({ origin: "https://baltimore.harborline.example" })).status).toBe(200);
    expect(
      (await send({ origin: "https://evil.example", "x-forwarded-host": "evil.example" })).status,
    ).toBe(403);
  });

  it("uploads are accepted only by the form that has image fields", async () => {
    const send = (path: string) =>
      nginx.request(path, {
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: `--x\r\nContent-Disposition: form-data; name="picture1"; filename="a"\r\n\r\n${"a".repeat(2_000_000)}\r\n--x--\r\n`,
      });
    expect((await send("/community/submit")).status).toBe(422);
    expect((await send("/contact/form")).status).toBe(413);
  });

  it("a crowd that requests one page at the same time causes only a few requests to the nodes", async () => {
    const path = "/terms?crowd";
    const before = nodes.map(({ output }) => output().length);
    const responses = await Promise.all(Array.from({ length: 100 }, () => nginx.request(path)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await nginx.request("/search?q=marker");
    await expect.poll(() => nodes.map(({ output }) => output()).join("")).toContain("/search");
    const requestsToNodes = nodes
      .map(({ output }, index) => output().slice(before[index]))
      .join("")
      .split("\n")
      .filter((line) => line.includes('"path":"/terms"'));
    // nginx requests the page once per second, so a slow machine needs more than one request.
    expect(requestsToNodes.length).toBeLessThan(100);
  });

  it("pages for one reader are never cached", async () => {
    const [firstResponse, secondResponse] = [
      await nginx.request("/search?q=same"),
      await nginx.request("/search?q=same"),
    ];
    expect(firstResponse.headers["x-request-id"]).not.toBe(secondResponse.headers["x-request-id"]);
  });

  it("each reader gets the encoding that they accept", async () => {
    for (const encoding of ["br", "gzip", undefined]) {
      const { headers } = await nginx.request("/privacy", {
        headers: encoding ? { "accept-encoding": encoding } : {},
      });
      expect(headers["content-encoding"]).toBe(encoding);
    }
  });

  it("each reader gets their edition", async () => {
    for (const saveData of ["on", undefined, "on", undefined]) {
      const { body } = await nginx.request("/privacy", {
        headers: saveData ? { "save-data": saveData } : {},
      });
      expect(body.includes("Low-data edition: no images")).toBe(saveData === "on");
    }
  });
});
