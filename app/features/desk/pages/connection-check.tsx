import { useEffect, useState } from "react";
import { useBlocker } from "react-router";

/** A slow connection is better than none. */
const timeoutMs = 15_000;

const hasConnection = () =>
  navigator.onLine &&
  fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Asks before each link and form whether the server responds. If it does not, the page stays as it
 * is, with all that was typed: React Router would replace it by an error page.
 */
export function ConnectionCheck() {
  const [isLost, setLost] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation: { hash }, nextLocation }) => hash === nextLocation.hash,
  );

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    let isCurrent = true;
    (async () => {
      const isConnected = await hasConnection();
      if (!isCurrent) return;
      setLost(!isConnected);
      if (isConnected) blocker.proceed();
      else blocker.reset();
    })();
    return () => {
      isCurrent = false;
    };
  }, [blocker]);

  useEffect(() => {
    const forget = () => setLost(false);
    addEventListener("online", forget);
    return () => removeEventListener("online", forget);
  }, []);

  return (
    <div role="status" className="no-print">
      {blocker.state === "blocked" && <p className="progress">Loading…</p>}
      {isLost && (
        <p className="stored-copy px-4">
          There is no connection, so this page stays open. Please try again in a moment.
        </p>
      )}
    </div>
  );
}
