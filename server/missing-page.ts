import type { MiddlewareHandler } from "hono";
import { acceptedEncoding } from "./conditional.ts";
import { type Encoding, finishPage } from "./page-cache.ts";
import type { Scope } from "./visitor-limits.ts";

/** A change to the city's files is on the page for missing addresses after this time. */
const keptMs = 2_000;

type Options = {
  /** Whether no route knows the path. */
  isMissing(path: string): boolean;
  /** Notes that a missing page was asked for. The render does so itself. */
  count(path: string): void;
};

type Kept = { until: number; headers: [string, string][]; bodies: Record<Encoding, Uint8Array<ArrayBuffer>> };

/**
 * Addresses that nobody knows are asked for by the thousand, by programs that look for weak spots. The page that says so is
 * the same for all of them, so it is rendered and compressed once every few seconds.
 */
export function keepMissingPage({ isMissing, count }: Options): MiddlewareHandler<Scope> {
  let kept: Kept | null = null;
  let rendering: Promise<void> | null = null;

  return async (c, next) => {
    const { pathname } = c.env.url;
    const isPage = (c.req.method === "GET" || c.req.method === "HEAD") && !pathname.endsWith(".data");
    if (!isPage || !isMissing(pathname)) return next();
    const encoding = acceptedEncoding(c.req.header("accept-encoding") ?? "");
    while (rendering) await rendering;
    if (kept && kept.until > performance.now()) {
      count(pathname);
      return answer(kept, encoding);
    }
    // What is kept is compressed here.
    c.req.raw.headers.delete("accept-encoding");
    const { promise, resolve } = Promise.withResolvers<void>();
    rendering = promise;
    try {
      await next();
      const { status, headers } = c.res;
      if (status !== 404) return;
      const body = Buffer.from(await c.res.arrayBuffer());
      const { forms } = await finishPage(status, headers, body);
      const bytesOf = (form: Encoding) => new Uint8Array(forms[form].body);
      const bodies = { identity: bytesOf("identity"), gzip: bytesOf("gzip"), br: bytesOf("br") };
      const made = { until: performance.now() + keptMs, headers: [...headers], bodies };
      kept = made;
      c.res = answer(made, encoding);
    } finally {
      rendering = null;
      resolve();
    }
  };
}

function answer({ headers, bodies }: Kept, encoding: Encoding): Response {
  const response = new Response(bodies[encoding], { status: 404, headers });
  response.headers.set("Vary", "Accept-Encoding");
  response.headers.set("Content-Length", String(bodies[encoding].length));
  if (encoding !== "identity") response.headers.set("Content-Encoding", encoding);
  return response;
}
