import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { deletionChannelName } from "../../lib/device/forget.ts";
import { bannerId } from "../../lib/http/banner-slot.ts";
import { NoticeLayer } from "../../ui/notices/notice-layer.tsx";
import { deleteExpiredForms } from "../forms/unsent/retention.ts";
import { workerState } from "../offline/worker-state.ts";
import { followSavedItems } from "../saved/follow-saved-items.ts";
import { showSaved } from "../saved/saved-notice.ts";
import { arriveOnPage, stopTracking, storeVisit, trackVisits } from "./visits/track-visits.ts";

/** Everything that runs on all pages once the page itself is ready. */
export function LazyLayer() {
  useVisits();
  useEffect(() => followSavedItems(updateOfflineCopy), []);
  useEffect(followDeletion, []);
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return <NoticeLayer />;
}

function useVisits(): void {
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(trackVisits, []);
  useEffect(() => {
    arriveOnPage();
    const isFirst = shownPath.current === pathname;
    if (!isFirst) storeVisit();
    shownPath.current = pathname;
    if (!isFirst || document.getElementById(bannerId)?.firstElementChild) refreshAlerts();
  }, [pathname]);
  useEffect(() => {
    document.addEventListener("visibilitychange", refreshAlerts);
    return () => document.removeEventListener("visibilitychange", refreshAlerts);
  }, []);
}

/** Most readers never see an alert, so its code loads when it may be needed. */
const refreshAlerts = () =>
  import("../alerts/banner/follow-banner.ts").then(
    ({ refreshBanner }) => refreshBanner(),
    () => {},
  );

/** Saved pages can be read without a connection. All visible tabs do this, which is harmless. */
async function updateOfflineCopy(path: string, isSaved: boolean): Promise<void> {
  if (document.visibilityState === "hidden") return;
  const { storeOfflineCopy, deleteOfflineCopy } = await import("../offline/offline-copies.ts");
  if (!isSaved) return deleteOfflineCopy(path);
  const { listStoredPaths } = await import("../offline/page-copy.ts");
  const result = await storeOfflineCopy(path);
  // Without a connection, there may be the copy of an earlier visit.
  const isStored = result === "stored" || (await listStoredPaths()).has(path);
  const failure = result === "no space" ? "no-space" : "failed";
  // The button has already said that the item is saved. Only another result is news.
  if (isStored !== navigator.onLine) showSaved(isStored ? "stored" : failure);
}

/** Another tab, or this one, has deleted everything. Each tab has its own session storage. */
function followDeletion(): () => void {
  const channel = new BroadcastChannel(deletionChannelName);
  channel.onmessage = () => {
    stopTracking();
    workerState.isDeleted = true;
    try {
      sessionStorage.clear();
    } catch {
      // The browser blocks storage, so there is nothing to delete.
    }
  };
  return () => channel.close();
}
