import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type Nginx, startNginx } from "../support/nginx.ts";

const nginxProgram = inject("nginx");

type Content = { status?: number; headers?: Record<string, string>; body?: string };

/** Starts a node that has the same content at every path, and says how it would encode it. */
async function startNode() {
  let content: Content = {};
  const server = createServer((request, response) => {
    const { status = 200, headers, body } = content;
    response.writeHead(status, { "Cache-Control": "public, s-maxage=60", ...headers });
    response.end(`${body}, ${request.headers["accept-encoding"] ?? "not encoded"}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    respondWith(newContent: Content) {
      content = newContent;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const chrome = { "accept-encoding": "gzip, deflate, br, zstd" };
const safari = { "accept-encoding": "gzip, deflate, br" };
const saveData = { "save-data": "on" };

describe.skipIf(!nginxProgram)("nginx as configured in deploy/", () => {
  let nodes: Awaited<ReturnType<typeof startNode>>[];
  let nginx: Nginx;
  beforeEach(async () => {
    const [first, second] = [await startNode(), await startNode()];
    nodes = [first, second];
    nginx = await startNginx(nginxProgram ?? "", [first.url, second.url]);
  });
  afterEach(async () => {
    await nginx?.stop();
    stopNodes();
  });
  const stopNodes = () => {
    for (const node of nodes) node.stop();
  };
  const respondWith = (content: Content) => {
    for (const node of nodes) node.respondWith(content);
  };
  const read = (path: string, headers: Record<string, string> = chrome) =>
    nginx.request(path, { headers });
  const readLog = () => readFile(join(nginx.folder, "logs/harborline.log"), "utf8");
  /** Requests a page until nginx, which serves its copy for one second, asks the nodes again. */
  const readUntil = (path: string, status: number, body: string) =>
    expect.poll(() => read(path)).toMatchObject({ status, body: expect.stringContaining(body) });
  /** Requests a page until nginx has failed to renew its copy. */
  const readUntilStale = (path: string) =>
    expect
      .poll(async () => {
        await read(path);
        return readLog();
      })
      .toContain("cache=STALE");

  it("serves every page that was requested in the last 24 hours while all nodes are down, to every browser", async () => {
    respondWith({ body: "morning", headers: { Vary: "Accept-Encoding, Save-Data" } });
    for (const path of ["/", "/about?x=1"]) expect((await read(path)).body).toBe("morning, br");
    expect((await read("/", saveData)).body).toBe("morning, not encoded");
    stopNodes();
    await readUntilStale("/");
    for (const path of ["/", "/about?x=1"])
      for (const headers of [chrome, safari])
        expect(await read(path, headers)).toMatchObject({ status: 200, body: "morning, br" });
    expect((await read("/", saveData)).body).toBe("morning, not encoded");
    expect((await read("/never-requested")).status).toBe(502);
    // A test cannot wait for a day.
    expect(await readFile("deploy/nginx.conf", "utf8")).toContain(" inactive=24h ");
  });

  it("serves its copy when every node answers with an error", async () => {
    respondWith({ body: "morning" });
    await read("/");
    respondWith({ status: 503, body: "The database is not responding." });
    await readUntilStale("/");
    expect(await read("/")).toMatchObject({ status: 200, body: "morning, br" });
  });

  it("never serves an old copy while one node has the page", async () => {
    for (const body of ["morning", "noon", "evening"]) {
      respondWith({ body });
      await readUntil("/", 200, body);
    }
    nodes[0]?.respondWith({ status: 500, body: "broken" });
    // nginx asks the nodes in turn.
    for (const body of ["night", "midnight"]) {
      nodes[1]?.respondWith({ body });
      await readUntil("/", 200, body);
    }
    await expect.poll(readLog).toContain("node_status=500, 200");
    expect(await readLog()).not.toMatch(/cache=(STALE|UPDATING)/);
  });

  it("forgets its copy of a page that was removed, as soon as somebody requests the page", async () => {
    respondWith({ body: "a name" });
    await read("/news/removed");
    respondWith({ status: 410, body: "gone", headers: { "Cache-Control": "no-store" } });
    await readUntil("/news/removed", 410, "gone");
    stopNodes();
    await readUntilStale("/news/removed");
    expect(await read("/news/removed")).toMatchObject({ status: 410, body: "gone, br" });
  });

  it("forgets all copies that an operator deletes, also while all nodes are down", async () => {
    respondWith({ body: "a name" });
    await read("/news/removed");
    stopNodes();
    await readUntilStale("/news/removed");
    execFileSync("find", [join(nginx.folder, "cache"), "-type", "f", "-delete"]);
    await expect.poll(() => read("/news/removed")).toMatchObject({ status: 502 });
  });

  it("stores nothing that is for one reader", async () => {
    const privatePages: Content[] = [
      { headers: { "Cache-Control": "no-store" } },
      { status: 404, headers: { "Cache-Control": "no-store" } },
      { headers: { Vary: "Origin" } },
    ];
    for (const [index, content] of privatePages.entries())
      for (const body of ["first", "second"]) {
        respondWith({ ...content, body });
        expect((await read(`/page-${index}?token=secret`)).body).toBe(`${body}, br`);
      }
    for (const path of ["/desk", "/desk/waiting", "/desk.data"])
      for (const body of ["first", "second"]) {
        respondWith({ body });
        expect((await read(path)).body).toBe(`${body}, br`);
      }
  });

  it("logs no signature of a preview link, however the link is spelled", async () => {
    const token = `mhz1k2ab.SIG${"a".repeat(40)}`;
    const spellings = [
      `/preview/fire/${token}`,
      `/preview/${token}`,
      `/Preview/fire/${token}.data?_routes=x`,
      `/previewx/fire/${token}`,
      `/%70review/fire%2F${token}`,
      `/%2570review/fire/${token}`,
      `/preview/fire/${token.replace(".", "%2e")}`,
      `/preview/fire/${token.replace(".", "%252e")}`,
      `/a/..%2fpreview/fire/${token}`,
      `/preview;a/fire/${token}`,
      `/preview%5Cfire%5C${token}`,
      `/pre%0aview/fire/${token}`,
      `/about#/preview/fire/${token}`,
    ];
    for (const path of spellings) await read(path);
    await read("/news/preview-of-spring/");
    await expect.poll(readLog).toContain("GET /news/preview-of-spring/ 200");
    expect((await readLog()).trim().split("\n").length).toBeGreaterThan(spellings.length);
    expect(await readLog()).not.toContain("SIG");
  });
});
