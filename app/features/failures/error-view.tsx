import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { hasTypedText } from "../../lib/typed-text.ts";
import { retryAfterSeconds, unavailableMessages } from "./model.ts";

/** Returns what the reader sees of an error: its status text or message, but never a stack. */
function describeError(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  if (error instanceof Error && error.message) return error.message;
  return "Something went wrong.";
}

function getAdvice(error: unknown): { text: string; canRetry: boolean } {
  if (isRouteErrorResponse(error) && error.status < 500) {
    const defaultText =
      error.status === 404
        ? "The address may be misspelled, or the page may have moved."
        : "This page could not process your request. Please start again from the home page.";
    // When a limit is exceeded, the server sends a sentence that explains it.
    const isLimit = error.status === 413 || error.status === 429;
    const text = isLimit && typeof error.data === "string" ? error.data : defaultText;
    return { text, canRetry: false };
  }
  // If the server is temporarily unavailable, it sends a sentence that says why.
  if (isRouteErrorResponse(error) && error.status === 503 && typeof error.data === "string") {
    return { text: error.data, canRetry: true };
  }
  // A failed fetch is a TypeError in every browser.
  if (error instanceof TypeError) {
    return {
      text: "Your connection may have been interrupted. Please check it and try again.",
      canRetry: true,
    };
  }
  return { text: "This is our mistake, not yours. Please try again in a moment.", canRetry: true };
}

/** The URL that the browser loaded, before the reader followed any link. */
const loadedUrl = typeof document === "undefined" ? "" : document.location.href;

/** Whether the reader has started to fill in a form on this page, such as the newsletter form. */
const hasAnyTypedText = () => [...document.forms].some(hasTypedText);

/**
 * Reloads the page after a while. A "Refresh" header cannot be canceled: it would also reload the
 * page for readers who have followed a link and are filling in a form there.
 */
function ReloadLater() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!hasAnyTypedText()) document.location.reload();
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
    // The server may have the page in its page cache, although it cannot load the page's data.
    if (isUnavailable && document.location.href !== loadedUrl) document.location.reload();
  }, [isUnavailable]);
  const { text, canRetry } = getAdvice(error);
  // The page does not reload after a form, because that could send the form a second time.
  const shouldReloadLater = isRouteErrorResponse(error) && error.data === unavailableMessages.page;
  return (
    <div className="page py-16 lg:py-24">
      {shouldReloadLater && <ReloadLater />}
      <h1 className="kicker">
        {isRouteErrorResponse(error) && error.status === 404
          ? "Oops! Page not found"
          : "Unexpected Application Error!"}
      </h1>
      <p className="mt-4 font-medium text-crab text-lg">{describeError(error)}</p>
      <p className="mt-4 max-w-xl text-ink-soft">{text}</p>
      {/* Plain links, because a full page load recovers from an error in the application. */}
      <p className="mt-8 flex flex-wrap gap-3">
        {canRetry && (
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
