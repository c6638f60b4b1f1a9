import { once } from "node:events";
import { createServer } from "node:http";

type Gateway = {
  url: string;
  /** Sends requests to another server from now on. */
  forwardTo(targetUrl: string): void;
  /**
   * Serves the same site as if it had been built again with different names of some files: every
   * text in `names` is replaced by a new one, and the old files are gone.
   */
  rebuild(names: string[]): void;
  close(): Promise<void>;
};

/** Starts a proxy, so that one origin can belong to several servers or builds in turn. */
export async function startGateway(targetUrl: string): Promise<Gateway> {
  let target = targetUrl;
  let renamed: [string, string][] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const isGone = renamed.some(([old]) => path.includes(old));
    const targetPath = renamed.reduce((text, [old, name]) => text.replaceAll(name, old), path);
    const fetched = await fetch(target + targetPath, {
      redirect: "manual",
      headers: { "Accept-Encoding": "identity" },
    });
    const headers = Object.fromEntries(fetched.headers);
    delete headers["content-length"];
    delete headers.etag;
    let body = Buffer.from(await fetched.arrayBuffer());
    if (renamed.length > 0 && /html|javascript/.test(headers["content-type"] ?? "")) {
      const text = renamed.reduce((each, [old, name]) => each.replaceAll(old, name), String(body));
      body = Buffer.from(text);
      // The hashes of the inline scripts in the policy are no longer right.
      headers["content-security-policy"] = "default-src 'self' 'unsafe-inline'";
    }
    response.writeHead(isGone ? 404 : fetched.status, headers);
    response.end(isGone ? "" : body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" ? address?.port : ""}`,
    forwardTo(url) {
      target = url;
    },
    rebuild(names) {
      renamed = names.map((name) => [name, name.split("").toReversed().join("")]);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
