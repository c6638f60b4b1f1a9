import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

export type FeedServer = {
  host: string;
  url(path: string): string;
  /** What is asked for, in order. */
  requests: { path: string; headers: Record<string, string | string[] | undefined> }[];
  close(): Promise<void>;
};

/** A newspaper on this machine that answers as a test wants it to. */
export async function startFeedServer(answer: RequestListener): Promise<FeedServer> {
  const asked: FeedServer["requests"] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", headers: request.headers });
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    requests: asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type FeedStory = {
  title: string;
  path?: string;
  guid?: string;
  date?: string;
  summary?: string;
};

/** A plain RSS feed of these stories. */
export function rss(host: string, stories: FeedStory[]): string {
  const items = stories.map(
    ({ title, path = `/${title.toLowerCase().replace(/\W+/g, "-")}`, guid, date, summary = "" }) =>
      `<item><title>${title}</title><link>https://${host}${path}</link>${
        guid ? `<guid isPermaLink="false">${guid}</guid>` : ""
      }${date ? `<pubDate>${date}</pubDate>` : ""}<description>${summary}</description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${host}</title><link>https://${host}/</link>${items.join("")}</channel></rss>`;
}
