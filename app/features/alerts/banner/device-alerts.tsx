import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { followBanner, refreshBanner } from "./follow-banner.ts";

/**
 * Keeps the banner up to date while the reader opens pages, dismisses what the reader does not want
 * to see, and announces each alert once per visit to screen readers.
 */
export function DeviceAlerts() {
  const { pathname } = useLocation();
  const [announced, setAnnounced] = useState("");
  useEffect(() => followBanner(setAnnounced), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is a reason to look
  useEffect(() => {
    refreshBanner();
  }, [pathname]);
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
