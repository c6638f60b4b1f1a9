import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { deletionChannelName } from "../../lib/device/forget.ts";
import { bannerId } from "../../lib/http/banner-slot.ts";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import { Link } from "../../ui/link.tsx";
import { currentToast } from "../../ui/toast.ts";
import { deleteExpiredForms } from "../forms/unsent/retention.ts";
import { workerState } from "../offline/worker-state.ts";
import { followSavedItems, showSaved } from "../saved/saved-items.ts";
import {
  continueVisit,
  mergeVisits,
  newSince,
  storedVisits,
  type Visits,
} from "./visits/visits.ts";

/** Everything that runs on all pages once the page itself is ready. */
export function LazyLayer() {
  useArrivals();
  useEffect(() => followSavedItems(updateOfflineCopies), []);
  useEffect(followDeletion, []);
  useEffect(() => deleteExpiredForms(Date.now()), []);
  return <ToastLayer />;
}

/** Follows the visit, and shows the current alerts, when the reader opens a page or returns. */
function useArrivals(): void {
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(trackVisits, []);
  useEffect(() => {
    arriveOnPage();
    const isFirst = shownPath.current === pathname;
    if (!isFirst) {
      storeVisit();
      currentToast.write(null);
    }
    shownPath.current = pathname;
    // The first page came with a current banner. If that is empty, there is nothing to announce.
    if (!isFirst || document.getElementById(bannerId)?.firstElementChild) refreshAlerts();
  }, [pathname]);
  useEffect(() => {
    document.addEventListener("visibilitychange", refreshAlerts);
    return () => document.removeEventListener("visibilitychange", refreshAlerts);
  }, []);
}

/** Most readers never see an alert, so its code loads when it may be needed. */
const refreshAlerts = () =>
  import("../alerts/banner/refresh-banner.ts").then(
    ({ refreshBanner }) => refreshBanner(),
    () => {},
  );

/** Saved pages can be read without a connection. All visible tabs do this, which is harmless. */
async function updateOfflineCopies(saved: string[], added: string | undefined): Promise<void> {
  if (document.visibilityState === "hidden") return;
  const { storeSaved } = await import("../offline/worker-client.ts");
  const { listStoredPaths } = await import("../offline/page-copy.ts");
  const result = await storeSaved(saved);
  if (!added) return;
  // Without a connection, there may be the copy of an earlier visit.
  const isStored = (await listStoredPaths()).has(added);
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

const toastDurationMs = 10_000;

function ToastLayer() {
  const toast = useDeviceValue(currentToast);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => currentToast.write(null), toastDurationMs);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div role="status" className="toast no-print">
      {toast && (
        <p>
          {toast.text}
          {toast.link && (
            <>
              {" "}
              <Link to={toast.link.to}>{toast.link.label}</Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Reading the storage on every scroll event would be slow. */
const activityIntervalMs = 60 * 1000;

let visits: Visits | null = null;
let isStopped = false;

function trackVisits(): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true };
  for (const type of ["pointerdown", "keydown", "scroll"])
    addEventListener(type, () => noteActivity(activityIntervalMs), options);
  document.addEventListener(
    "visibilitychange",
    () => (document.visibilityState === "hidden" ? storeVisit() : noteActivity()),
    options,
  );
  addEventListener("pagehide", storeVisit, options);
  return () => stop.abort();
}

/**
 * Called when the reader opens a page. Marks change only now and not in the middle of a page, even
 * if another tab begins a new visit.
 */
function arriveOnPage(): void {
  noteActivity();
  newSince.write(visits?.previousEnd ?? null);
}

function noteActivity(minIntervalMs = 0): void {
  const now = Date.now();
  // The last activity is in the future if the clock was set back.
  if (isStopped || (visits && Math.abs(now - visits.activeAt) < minIntervalMs)) return;
  visits = continueVisit(mergeVisits(visits, storedVisits.read(), now), now);
}

/** Only called when the reader leaves a page, so opening a single page stores nothing. */
function storeVisit(): void {
  if (!isStopped && visits)
    storedVisits.write(mergeVisits(visits, storedVisits.read(), Date.now()));
}

/** The reader has deleted everything, so nothing is stored again until the next page load. */
function stopTracking(): void {
  isStopped = true;
  newSince.write(null);
}
