import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

export type FeedServer = {
  host: string;
  url(path: string): string;
  /** All requests so far, in order. */
  requests: { path: string; headers: Record<string, string | string[] | undefined> }[];
  close(): Promise<void>;
};

/**
 * Starts a stand-in for another newsroom's server on this machine. The test decides how it
 * responds.
 */
export async function startFeedServer(respond: RequestListener): Promise<FeedServer> {
  const requests: FeedServer["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? "", headers: request.headers });
    respond(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type FeedEntry = {
  title: string;
  path?: string;
  guid?: string;
  date?: string;
  summary?: string;
};

/** Returns a plain RSS feed with these entries. */
export function createRss(host: string, entries: FeedEntry[]): string {
  const items = entries.map(
    ({ title, path = `/${title.toLowerCase().replace(/\W+/g, "-")}`, guid, date, summary = "" }) =>
      `<item><title>${title}</title><link>https://${host}${path}</link>${
        guid ? `<guid isPermaLink="false">${guid}</guid>` : ""
      }${date ? `<pubDate>${date}</pubDate>` : ""}<description>${summary}</description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${host}</title><link>https://${host}/</link>${items.join("")}</channel></rss>`;
}
