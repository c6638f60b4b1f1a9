import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isPublicIpAddress } from "../http/ip-addresses.server.ts";
import { createSafeFetch, type FetchResult } from "./safe-fetch.server.ts";

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<{ url: string; host: string }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, host: `127.0.0.1:${address.port}` };
}

const text = (fetched: FetchResult) =>
  fetched.kind === "response"
    ? Buffer.from(fetched.body).toString("utf8")
    : `${fetched.cause}: ${fetched.detail}`;
const cause = (fetched: FetchResult) =>
  fetched.kind === "failed" ? fetched.cause : `status ${fetched.status}`;

describe("a request for which only the status matters", () => {
  it("uses HEAD, also after a redirect, and does not wait for the body", async () => {
    const requests: string[] = [];
    const { url, host } = await serve((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (request.url === "/") response.writeHead(302, { location: "/endless" }).end();
      // The body never ends, and is larger than the limit.
      else {
        response.writeHead(200, { "content-length": "999999999999", "content-encoding": "gzip" });
        response.flushHeaders();
      }
    });
    const fetch = createSafeFetch([host]);
    for (const method of ["HEAD", "GET"] as const)
      expect(await fetch(url, { method, readsBody: false })).toMatchObject({
        kind: "response",
        status: 200,
      });
    expect(requests).toEqual(["HEAD /", "HEAD /endless", "GET /", "GET /endless"]);
  });
});

it.each(["http://harborline.example/", "http://8.8.8.8/"])(
  "sends no request if OFFLINE is set, not even to %s",
  async (url) => {
    expect(cause(await createSafeFetch([], true)(url))).toBe("offline");
  },
);

describe("a URL from an external document", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fd00:ec2::254",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
  ])("%s is not on the public Internet", (address) => {
    expect(isPublicIpAddress(address)).toBe(false);
  });

  it.each(["8.8.8.8", "151.101.1.195", "172.32.0.1", "2606:4700::6810:84e5"])(
    "%s is",
    (address) => {
      expect(isPublicIpAddress(address)).toBe(true);
    },
  );

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "http://8.8.8.8:25/",
  ])("never leads to %s", async (url) => {
    expect(cause(await createSafeFetch()(url))).toBe("blocked-address");
  });

  it.each([
    "file:///etc/passwd",
    "ftp://ftp.example/",
    "rubbish",
    "https://user:secret@news.example/",
  ])("is refused if it is %s", async (url) => {
    expect(cause(await createSafeFetch()(url))).toBe("bad-address");
  });

  it("never leads to a local server by a redirect", async () => {
    let requests = 0;
    const internal = await serve((_, response) => {
      requests += 1;
      response.end("secret");
    });
    const external = await serve((_, response) =>
      response.writeHead(302, { Location: internal.url }).end(),
    );
    // Not even to one that another source may use.
    for (const allow of [[external.host], [external.host, internal.host]])
      expect(cause(await createSafeFetch(allow)(external.url))).toBe("blocked-address");
    expect(requests).toBe(0);
  });
});

describe("a response", () => {
  it("is decompressed, and has the URL it came from", async () => {
    const responses: Record<string, [string, string | Buffer]> = {
      "/br": ["br", brotliCompressSync("brotli")],
      "/charset": ["utf-8", "not compressed at all"],
    };
    const server = await serve((request, response) => {
      const [encoding, body] = responses[request.url ?? ""] ?? ["gzip", gzipSync("gzip")];
      response.setHeader("Content-Encoding", encoding);
      response.setHeader("ETag", `"${request.headers["user-agent"]}"`);
      response.end(body);
    });
    const fetch = createSafeFetch([server.host]);
    const first = await fetch(server.url);
    expect(text(first)).toBe("gzip");
    expect(first).toMatchObject({ status: 200, url: server.url });
    expect(first.kind === "response" && first.headers.get("etag")).toBe('"Harborline/1.0"');
    expect(text(await fetch(`${server.url}br`))).toBe("brotli");
    expect(text(await fetch(`${server.url}charset`))).toBe("not compressed at all");
  });

  it("says where the URL has moved permanently, but not temporarily", async () => {
    const server = await serve((request, response) => {
      const steps: Record<string, [number, string]> = {
        "/old": [301, "/older"],
        "/older": [308, "/home"],
        "/today": [302, "/old"],
      };
      const step = steps[request.url ?? ""];
      if (step) response.writeHead(step[0], { Location: step[1] }).end();
      else response.end("here");
    });
    const fetch = createSafeFetch([server.host]);
    expect(await fetch(`${server.url}old`)).toMatchObject({
      url: `${server.url}home`,
      movedTo: `${server.url}home`,
    });
    const today = await fetch(`${server.url}today`);
    expect(text(today)).toBe("here");
    expect(today).not.toMatchObject({ movedTo: expect.anything() });
  });
});

describe("a server that misbehaves", () => {
  it("by redirecting in a loop is left after a few redirects", async () => {
    const server = await serve((_, response) => response.writeHead(301, { Location: "/" }).end());
    expect(cause(await createSafeFetch([server.host])(server.url))).toBe("redirects");
  });

  it("by a body that decompresses to a thousand times its size is cut off at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const server = await serve((_, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb),
    );
    const before = process.memoryUsage().rss;
    const fetched = await createSafeFetch([server.host])(server.url, { maxBytes: 1024 * 1024 });
    expect(cause(fetched)).toBe("too-large");
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  it("by a body in very many small pieces is disconnected early", async () => {
    let written = 0;
    const server = await serve((_, response) => {
      const writeNext = () => {
        for (let room = true; room && written < 200_000; written += 1) room = response.write("x");
      };
      response.on("drain", writeNext);
      writeNext();
    });
    const fetched = await createSafeFetch([server.host])(server.url);
    expect(fetched).toMatchObject({
      kind: "failed",
      detail: "sends its response in too many small pieces",
    });
  });

  it("by a body without end is cut off at the limit", async () => {
    const server = await serve((_, response) => {
      const part = Buffer.alloc(64 * 1024);
      const more = () => {
        while (response.write(part));
      };
      response.on("drain", more);
      more();
    });
    const fetched = await createSafeFetch([server.host])(server.url, { maxBytes: 1024 * 1024 });
    expect(cause(fetched)).toBe("too-large");
  });

  it("by sending slowly is disconnected after the timeout, and by sending nothing even earlier", async () => {
    const { promise: slowResponse, resolve } = Promise.withResolvers<ServerResponse>();
    const server = await serve((request, response) => {
      response.write("a");
      if (request.url === "/slow") resolve(response);
    });
    const fetch = createSafeFetch([server.host]);
    expect(text(await fetch(server.url, { idleMs: 1 }))).toBe(
      "timeout: was silent for 0.001 seconds",
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const slow = fetch(`${server.url}slow`, { timeoutMs: 30_000, idleMs: 400_000 });
    const response = await slowResponse;
    for (let seconds = 0; seconds < 30; seconds += 10) {
      await new Promise((written) => response.write("a", written));
      vi.advanceTimersByTime(10_000);
    }
    expect(text(await slow)).toBe("timeout: took more than 30 seconds");
  });

  it("by closing the connection early, or by sending damaged compressed data, counts as failed", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/cut") {
        response.writeHead(200, { "Content-Length": "1000" });
        response.write("half", () => response.destroy());
      } else {
        const compressed = gzipSync("x".repeat(10_000));
        response
          .writeHead(200, { "Content-Encoding": "gzip" })
          .end(compressed.subarray(0, compressed.length / 2));
      }
    });
    const fetch = createSafeFetch([server.host]);
    expect(cause(await fetch(`${server.url}cut`))).toBe("connection");
    expect(cause(await fetch(server.url))).toBe("connection");
  });

  it("by refusing connections has another cause than an unknown host name", async () => {
    const gone = await serve(() => {});
    servers.at(-1)?.close();
    expect(cause(await createSafeFetch([gone.host])(gone.url))).toBe("connection");
    expect(cause(await createSafeFetch()("http://no-such-host.invalid/"))).toBe("dns");
  });
});
