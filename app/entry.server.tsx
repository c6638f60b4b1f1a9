import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { appContext } from "./context.ts";
import { carryInPage } from "./edition/carry-edition.server.ts";
import { createLightPage, findLightStyle } from "./edition/light-page.server.ts";
import { insertBanner } from "./lib/http/banner-slot.ts";
import { replaceNonceWithHashes } from "./lib/http/csp.server.ts";
import { isMissing } from "./lib/http/missing-status.ts";
import { errorFields, toLoggedPath } from "./lib/log.ts";
import { PageLookContext } from "./lib/look/page-look.ts";

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a free turn of the event loop. Each render takes a turn of its own, so that requests
 * without a render, such as for cached pages, are served in between.
 */
function waitForRenderTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/**
 * Renders a page to one string. The Content Security Policy lists the hashes of the page's scripts
 * instead of a nonce, so that the page can be cached.
 */
export default async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  // The framework's own scripts get this nonce. A script that entered the page in another way does
  // not have it, so its hash is not added to the policy.
  const nonce = crypto.randomUUID();
  await waitForRenderTurn();
  const { frameSources, look, edition, bannerHtml, isPage, hasMissingPage } =
    context.get(appContext);
  if (hasMissingPage(status)) return new Response(null, { status, headers });
  const markup = await renderToString(
    <PageLookContext value={look}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </PageLookContext>,
    nonce,
  );
  // The page for everything that is missing must not contain what one reader requested.
  const search = isMissing(status) ? "" : new URL(request.url).search;
  const light = edition === "light" ? findLightStyle(look.palette) : null;
  const { html, policy } = light
    ? {
        html: createLightPage(markup, { search, isPage, head: light.head }),
        policy: light.policy,
      }
    : replaceNonceWithHashes(
        removeScriptPreloads(edition === "full" ? carryInPage(markup, edition, isPage) : markup),
        nonce,
        { frames: frameSources, scripts: [look.displayScriptHash] },
      );
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", policy);
  return new Response(insertBanner(html, bannerHtml), { status, headers });
}

function renderToString(page: React.ReactElement, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // Otherwise React hides large content until a script shows it.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => resolve(text(pipe(new PassThrough()))),
      onShellError: reject,
      onError: reject,
    });
  });
}

/**
 * Readers read a page before they click. Preloaded scripts would compete with fonts and images on a
 * slow connection (measured: the largest image takes a third longer to appear). Without the hint,
 * scripts load right after the fonts and images.
 */
function removeScriptPreloads(markup: string): string {
  return markup.replaceAll(/<link rel="modulepreload"[^>]*>/g, "");
}

/**
 * Logs unexpected errors. A 404 or a refused form is a normal response, and a reader who leaves
 * before the response is not an error either.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(appContext).log.error("page.failed", {
    path: toLoggedPath(new URL(request.url).pathname),
    ...errorFields(error),
  });
};
