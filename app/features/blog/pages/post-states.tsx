import { BackToBlog } from "./post-page.tsx";

export function PostLoading() {
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="mx-auto max-w-2xl">
        <BackToBlog />
        <div role="status" className="mt-6">
          <h1 className="sr-only">Loading article…</h1>
          <div aria-hidden="true" data-skeleton="" className="space-y-4">
            <div className="bone h-12 w-4/5" />
            <div className="bone h-6 w-full" />
            <div className="bone h-4 w-2/5" />
            <div className="bone h-72 w-full" />
            <div className="bone h-4 w-full" />
            <div className="bone h-4 w-full" />
            <div className="bone h-4 w-3/4" />
          </div>
          <noscript>
            <p className="mt-6 font-semibold">
              We cannot show this article right now. Please reload the page in a moment.
            </p>
          </noscript>
        </div>
      </div>
    </div>
  );
}

export function PostFailed({ message, onTryAgain }: { message: string; onTryAgain(): void }) {
  const tryAgain = () => {
    // The button disappears together with the message, so we move the keyboard focus first.
    document.querySelector("main")?.focus({ preventScroll: true });
    onTryAgain();
  };
  return (
    <Notice heading="Error Loading Blog">
      <p role="alert" className="mt-4 font-medium text-crab text-lg">
        {message || "Failed to load blog"}
      </p>
      <p className="mt-2 text-ink-soft">
        Your connection or our server may be having trouble. When you are back online, the article
        loads by itself.
      </p>
      <button type="button" className="button button-gold mt-6" onClick={tryAgain}>
        Try Again
      </button>
    </Notice>
  );
}

export function PostMissing({ isGone }: { isGone: boolean }) {
  return (
    <Notice heading={missingHeading(isGone)}>
      <p className="mt-4 text-ink-soft text-lg">
        {isGone
          ? "This blog article was taken down."
          : "The requested blog article could not be found. It may have been taken down."}
      </p>
    </Notice>
  );
}

export const missingHeading = (isGone: boolean) =>
  isGone ? "No longer available" : "Blog Not Found";

function Notice({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <div className="page py-14 lg:py-20">
      <div className="mx-auto max-w-2xl">
        <h1 className="kicker">{heading}</h1>
        {children}
        <p className="mt-8">
          <BackToBlog />
        </p>
      </div>
    </div>
  );
}
