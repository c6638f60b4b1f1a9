import { createDeviceValue } from "../../../lib/device/device-value.ts";
import { dismissedKey } from "../../../lib/device/display-script.ts";
import { bannerId } from "../../../lib/http/banner-slot.ts";
import { lastBanner } from "./alert-slot.tsx";

/** The alerts that the reader dismissed, oldest first. */
const dismissed = createDeviceValue<string[]>(dismissedKey, [], (stored) =>
  Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : [],
);
const maxDismissed = 50;

const announcedKey = "alerts.announced";

/** A reader who clicks fast asks only this often. */
const minRefreshMs = 20_000;
/** When an alert ends, all tabs ask the server, but spread over this time. */
const maxDelayMs = 2_000;
/** How long a screen reader has to notice the element in which the text then appears. */
const announceDelayMs = 500;
const maxTimerMs = 24 * 60 * 60 * 1_000;

/** As `performance.now()`. 0 is right at first, because the page came with a current banner. */
let refreshedAt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let loadedHtml: string | undefined;
let status: HTMLElement | undefined;

const findSlot = () => document.getElementById(bannerId);
const listAlerts = () => [...(findSlot()?.querySelectorAll<HTMLElement>("[data-alert]") ?? [])];

/** Hides what the reader dismissed, announces what is new, and loads again when an alert ends. */
function apply(): void {
  const keys = dismissed.read();
  const shown = listAlerts();
  for (const alert of shown) alert.hidden = keys.includes(alert.dataset.alert ?? "");
  announceNew(shown.filter(({ hidden }) => !hidden));
  clearTimeout(timer);
  const ends = shown.map(({ dataset }) => Date.parse(dataset.until ?? "") - Date.now());
  // An alert whose end has passed is still shown if this device's clock is ahead of the server's, or
  // if the server could not be reached. So the server is asked again.
  const waits = ends.filter((ms) => !Number.isNaN(ms)).map((ms) => (ms > 0 ? ms : minRefreshMs));
  const waitMs = Math.min(...waits);
  if (waitMs < maxTimerMs) timer = setTimeout(load, waitMs + Math.random() * maxDelayMs);
}

function announceNew(alerts: HTMLElement[]): void {
  try {
    const known = (sessionStorage.getItem(announcedKey) ?? "").split(" ");
    const fresh = alerts.filter(({ dataset }) => !known.includes(dataset.alert ?? ""));
    if (fresh.length === 0) return;
    const keys = fresh.map(({ dataset }) => dataset.alert ?? "");
    sessionStorage.setItem(announcedKey, [...known, ...keys].slice(-maxDismissed).join(" "));
    const text = fresh.map((alert) => alert.querySelector("p")?.textContent ?? "").join(" ");
    // Screen readers announce what changes in an element that they already know.
    setTimeout(() => status?.replaceChildren(text), announceDelayMs);
  } catch {
    // Without storage, every page would announce the alert again, so it is not announced. It is at
    // the beginning of the page anyway.
  }
}

async function load(): Promise<void> {
  refreshedAt = performance.now();
  const response = await fetch("/banner.json").catch(() => null);
  const loaded: unknown = response?.ok ? await response.json().catch(() => null) : null;
  const html = Object(loaded).html;
  if (typeof html !== "string") return apply();
  const slot = findSlot();
  if (slot && (html !== loadedHtml || !slot.firstChild)) slot.innerHTML = html;
  loadedHtml = html;
  // A page with another layout begins with an empty banner, and renders this into it.
  lastBanner.__html = html;
  apply();
}

function onClick({ target }: Event): void {
  const alert =
    target instanceof Element && target.closest("[data-dismiss]")
      ? target.closest<HTMLElement>("[data-alert]")
      : null;
  const key = alert?.dataset.alert;
  if (!alert || key === undefined) return;
  dismissed.write([...dismissed.read().filter((each) => each !== key), key].slice(-maxDismissed));
  // The alert is hidden even if the browser stores nothing. Then it returns with the next page.
  alert.hidden = true;
  document.querySelector("main")?.focus({ preventScroll: true });
}

function start(): void {
  status = document.createElement("p");
  status.role = "status";
  status.className = "sr-only";
  document.body.append(status);
  document.addEventListener("click", onClick);
  dismissed.subscribe(apply);
}

/**
 * Shows the banner as it is now. Call this when the reader opens a page or returns to the tab. The
 * banner is loaded, unless that happened a moment ago. Nothing here asks for new alerts while the
 * reader does neither: see decision 050.
 */
export function refreshBanner(): void {
  // A document without a place for the banner, such as the iframe of a form.
  if (!findSlot()) return;
  if (!status) start();
  const isRecent = performance.now() - refreshedAt < minRefreshMs;
  if (!isRecent && navigator.onLine && document.visibilityState === "visible") load();
  else apply();
}
