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
    if (shownPath.current !== path) document.querySelector(".stored-copy")?.remove();
    shownPath.current = path;
    const report = () =>
      Promise.all([import("./report-visit.ts"), loadSavedPaths()])
        .then(([{ reportVisit }, saved]) => reportVisit(path, saved))
        // A browser that blocks storage, or has lost the connection, stores nothing.
        .catch(() => {});
    const reportIfOnline = () => navigator.onLine && report();
    const wait = () => setTimeout(reportIfOnline, idleDelayMs);
    // The effect has no cleanup, because a page that the reader leaves soon was visited too.
    if (document.readyState === "complete") wait();
    else addEventListener("load", wait, { once: true });
  }, [path, loadSavedPaths]);
  return null;
}
