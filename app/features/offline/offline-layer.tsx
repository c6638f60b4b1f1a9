import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Scripts and images of the page come first. */
const idleDelayMs = 1_000;

type Props = { loadSavedPaths: () => Promise<string[]> };

/** Starts the code that stores pages on the device, some time after each page has loaded. */
export function OfflineLayer({ loadSavedPaths }: Props) {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const shownPath = useRef(path);
  useEffect(() => {
    // The service worker adds this notice to a stored page. The next page is not a copy.
    if (shownPath.current !== path) findNotice()?.remove();
    shownPath.current = path;
    const report = () =>
      Promise.all([import("./worker-client.ts"), loadSavedPaths()])
        .then(([{ reportVisit }, saved]) => reportVisit(path, saved))
        // A browser that blocks storage, or has lost the connection, stores nothing.
        .catch(() => {});
    const reportIfOnline = () => navigator.onLine && report();
    const wait = () => setTimeout(reportIfOnline, idleDelayMs);
    // The effect has no cleanup, because a page that the reader leaves soon was visited too.
    if (document.readyState === "complete") wait();
    else addEventListener("load", wait, { once: true });
  }, [path, loadSavedPaths]);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    // A browser may say that it is online before it can reach the server.
    const offerPage = () => {
      if (!findNotice() || !navigator.onLine) return;
      const { pathname, search } = location;
      fetch(pathname + search, { method: "HEAD", signal }).then(
        ({ ok }) => ok && showWayBack(),
        () => {},
      );
    };
    offerPage();
    addEventListener("online", offerPage, { signal });
    return () => stop.abort();
  }, []);
  return null;
}

/** The notice that the service worker adds to a stored page. */
const findNotice = () => document.querySelector("body > .stored-copy");

/** Only the reader loads the page again: that would lose their place in it, and what they typed. */
function showWayBack(): void {
  const text = findNotice()?.querySelector("p");
  if (!text || text.querySelector("a")) return;
  const link = document.createElement("a");
  link.href = location.pathname + location.search;
  link.className = "underline";
  link.textContent = "See it as it is now";
  text.textContent = (text.textContent ?? "").replace(/^.*?\. /, "The connection is back. ");
  text.append(" ", link);
}
