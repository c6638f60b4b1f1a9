import { isRouteErrorResponse } from "react-router";

/** What the reader is told of an error: its status text or its message, never where in the code it happened. */
export function describeError(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  if (error instanceof Error && error.message) return error.message;
  return "Something went wrong.";
}

export function ErrorView({ error }: { error: unknown }) {
  return (
    <div className="page py-16 lg:py-24">
      <h1 className="kicker text-4xl">Unexpected Application Error!</h1>
      <p className="mt-4 font-medium text-crab text-lg">{describeError(error)}</p>
      <p className="mt-4 max-w-xl text-ink-soft">
        This is our mistake, not yours. Reload the page in a moment, or start again from the front page.
      </p>
      {/* A plain link: when the application has failed, a fresh document is the way out. */}
      <a href="/" className="button button-gold mt-8">
        Return to Home Page
      </a>
    </div>
  );
}
