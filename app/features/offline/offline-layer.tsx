import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Scripts and images of the page come first. */
const idleDelayMs = 1_000;

type Props = { loadSavedPaths: () => Promise<string[]> };

/**
 * Part of the root layout. Some time after each page has loaded, it starts the code that stores
 * pages on the device.
 */
export function OfflineLayer({ loadSavedPaths }: Props) {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const shownPath = useRef(path);
  useEffect(() => {
    // The service worker adds this notice to a stored page. The next page is not a copy.
    if (shownPath.current !== path) document.querySelector(".stored-copy")?.remove();
    shownPath.current = path;
    const report = () =>
      Promise.all([import("./visits.ts"), loadSavedPaths()]).then(
        ([{ reportVisit }, saved]) => reportVisit(path, saved),
        () => {},
      );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = () => {
      timer = setTimeout(report, idleDelayMs);
    };
    if (document.readyState === "complete") start();
    else addEventListener("load", start, { once: true });
    return () => {
      removeEventListener("load", start);
      clearTimeout(timer);
    };
  }, [path, loadSavedPaths]);
  return null;
}
