import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { retryAfterSeconds, unavailableMessages } from "./model.ts";

/**
 * What the reader is told of an error: its status text or its message, never where in the code it
 * happened.
 */
function describeError(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  if (error instanceof Error && error.message) return error.message;
  return "Something went wrong.";
}

/** Whose fault it is, and what to do about it. */
function advice(error: unknown): { words: string; again: boolean } {
  if (isRouteErrorResponse(error) && error.status < 500) {
    const usual = "This page does not take what was sent to it. Start again from the front page.";
    // The server's limits answer with a sentence of their own.
    const isLimit = error.status === 413 || error.status === 429;
    return { words: isLimit && typeof error.data === "string" ? error.data : usual, again: false };
  }
  // What the server cannot do at the moment, it says in a sentence of its own.
  if (isRouteErrorResponse(error) && error.status === 503 && typeof error.data === "string") {
    return { words: error.data, again: true };
  }
  // A failed fetch is a TypeError in every browser.
  if (error instanceof TypeError) {
    return {
      words: "The connection may have been lost on the way. Check it, and try again.",
      again: true,
    };
  }
  return { words: "This is our mistake, not yours. Try again in a moment.", again: true };
}

/** The page that the browser loaded, before any link was followed. */
const loaded = typeof document === "undefined" ? "" : document.location.href;

/**
 * Whether the reader has begun to fill in a form around the error, such as that of the newsletter.
 */
const isTyping = () =>
  [...document.querySelectorAll("input, textarea")].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      field.value !== field.defaultValue,
  );

/**
 * Asks for the page again after a while. A "Refresh" header could not be stopped: it would also
 * take readers back who have gone on to another page and fill in a form there.
 */
function ReloadLater() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isTyping()) document.location.reload();
    }, retryAfterSeconds * 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(retryAfterSeconds)} />
    </noscript>
  );
}

export function ErrorView({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const isUnavailable = isRouteErrorResponse(error) && error.status === 503;
  useEffect(() => {
    // The server may have the whole page in its memory, although it cannot make the data of it.
    if (isUnavailable && document.location.href !== loaded) document.location.reload();
  }, [isUnavailable]);
  const { words, again } = advice(error);
  // Not after a form: what it was about may still be in the browser's history, and it must not be
  // sent twice.
  const isRetried = isRouteErrorResponse(error) && error.data === unavailableMessages.page;
  return (
    <div className="page py-16 lg:py-24">
      {isRetried && <ReloadLater />}
      <h1 className="kicker text-4xl">Unexpected Application Error!</h1>
      <p className="mt-4 font-medium text-crab text-lg">{describeError(error)}</p>
      <p className="mt-4 max-w-xl text-ink-soft">{words}</p>
      {/* Plain links: when the application has failed, a fresh document is the way out. */}
      <p className="mt-8 flex flex-wrap gap-3">
        {again && (
          <a href={pathname + search} className="button button-gold">
            Try again
          </a>
        )}
        <a href="/" className="button button-plain">
          Return to Home Page
        </a>
      </p>
    </div>
  );
}
