import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext } from "./context.ts";
import { contentSecurityPolicy } from "./lib/http/csp.server.ts";
import { createEventLoopQueue } from "./lib/http/event-loop-queue.server.ts";
import { errorFields } from "./lib/log.ts";

const renderTurn = createEventLoopQueue();

/**
 * Renders a page to one string: its scripts are known by their hashes, so the page can be cached
 * and trusted.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  // Marks the scripts that the framework wrote; one that got into the page otherwise has no mark,
  // and no hash.
  const mark = crypto.randomUUID();
  await renderTurn();
  const markup = await renderToString(
    <ServerRouter context={routerContext} url={request.url} nonce={mark} />,
    mark,
  );
  const { frameSources: frames } = context.get(appContext);
  const { html, policy } = contentSecurityPolicy(withoutScriptPreloads(markup), mark, frames);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", policy);
  return new Response(html, { status, headers });
}

function renderToString(page: React.ReactElement, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(chunks).toString("utf8"));
        done();
      },
    });
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // Large content would otherwise arrive hidden and need a script to be seen.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(sink),
      onShellError: reject,
      onError: reject,
    });
  });
}

/**
 * A page is read before it is clicked. Preloaded scripts would share a slow line with its letters
 * and pictures (measured: a third more time until the largest picture stands); without the hint
 * they load right after.
 */
function withoutScriptPreloads(markup: string): string {
  return markup.replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
}

/**
 * Logs what is a surprise. A 404 or a refused form is an answer, and a reader who left is nobody's
 * error.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  logOf(context).error("page.failed", {
    path: new URL(request.url).pathname,
    ...errorFields(error),
  });
};

const logOf = (context: Readonly<RouterContextProvider>) => context.get(appContext).log;
