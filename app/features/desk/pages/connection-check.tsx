import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { opensHere } from "../../../ui/link.tsx";

/** The timeout is long, because a slow connection is better than none. */
const timeoutMs = 15_000;
const retryMs = 3_000;

export const hasConnection = async () =>
  navigator.onLine &&
  fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * The link that a click opens in this tab. Null for other clicks, and for links within the page.
 */
function findOpenedLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link && opensHere(event, link) && !link.hash && link.origin === location.origin
    ? link
    : null;
}

type State = "connected" | "checking" | "lost";

/**
 * Asks before each link, form and step back whether the server responds. If it does not, the page
 * stays with all that was typed: React Router would replace it by an error page.
 */
export function ConnectionCheck() {
  const [state, setState] = useState<State>("connected");
  const blocker = useBlocker(({ historyAction }) => historyAction === "POP");

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    setState("checking");
    hasConnection().then((isConnected) => {
      setState(isConnected ? "connected" : "lost");
      if (isConnected) blocker.proceed();
      else blocker.reset();
    });
  }, [blocker]);

  useEffect(() => {
    let isChecked = false;
    /** Stops an event, and repeats it if the server responds. */
    async function check(event: Event, repeat: () => void) {
      if (isChecked) return;
      event.preventDefault();
      event.stopPropagation();
      setState("checking");
      const isConnected = await hasConnection();
      setState(isConnected ? "connected" : "lost");
      if (!isConnected) return;
      isChecked = true;
      repeat();
      isChecked = false;
    }
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    const checkClick = (event: MouseEvent) => {
      const link = findOpenedLink(event);
      if (link) check(event, () => link.click());
    };
    const checkForm = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      if (form instanceof HTMLFormElement) check(event, () => form.requestSubmit(submitter));
    };
    document.addEventListener("click", checkClick, options);
    document.addEventListener("submit", checkForm, options);
    addEventListener("online", () => setState("connected"), options);
    return () => listeners.abort();
  }, []);

  // A server that was restarted does not let the browser know.
  useEffect(() => {
    if (state !== "lost") return;
    const timer = setInterval(async () => {
      if (await hasConnection()) setState("connected");
    }, retryMs);
    return () => clearInterval(timer);
  }, [state]);

  return (
    <div role="status" className="no-print sticky top-0 z-40">
      {state === "checking" && <p className="progress">Loading…</p>}
      {state === "lost" && (
        <p className="stored-copy px-4">
          There is no connection, so this page stays open. What you typed is still here. Please try
          again in a moment.
        </p>
      )}
    </div>
  );
}
