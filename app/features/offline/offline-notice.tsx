import { useEffect, useState } from "react";
import { hasWorker, isUpdateReady } from "./worker-state.ts";

/**
 * Without a connection, links open the copies that the service worker has stored, or the page that
 * lists them. A form would lead to the browser's error page, and anything the reader has typed would
 * be lost. So we keep the reader on the page and show a notice.
 */
export function OfflineNotice() {
  const [blocked, setBlocked] = useState<"link" | "form" | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    const block = (event: Event, what: "link" | "form") => {
      event.preventDefault();
      event.stopPropagation();
      // An open menu would cover the notice.
      document.querySelector<HTMLElement>("[popover=auto]:popover-open")?.hidePopover();
      setBlocked(what);
    };
    const onClick = (event: MouseEvent) => {
      const link = findLink(event);
      if (!link || (navigator.onLine && !isUpdateReady())) return;
      const mayLeave = hasWorker() && !hasUnsentInput();
      if (!navigator.onLine && !mayLeave) block(event, "link");
      else if (mayLeave && opensHere(event, link) && !(navigator.onLine && isPlaying())) {
        // The router would load only the data of the page.
        event.preventDefault();
        location.assign(link.href);
      }
    };
    const onSubmit = (event: Event) => {
      // A form that stores what the reader typed has its own notice, and sees the event first.
      if (!navigator.onLine && !event.defaultPrevented) block(event, "form");
    };
    document.addEventListener("click", onClick, options);
    document.addEventListener("submit", onSubmit, options);
    addEventListener("online", () => setBlocked(null), options);
    return () => stop.abort();
  }, []);

  return (
    <div role="status" className="offline-notice no-print">
      {blocked && <p>{texts[blocked]}</p>}
    </div>
  );
}

const texts = {
  link: "You seem to be offline. We kept this page open, so nothing you typed is lost. Please try again when you are connected.",
  form: "You seem to be offline, so this was not sent. We kept this page open. What you typed is not stored: if you leave the page, please enter it again when you are connected.",
};

/** Finds a link to another page of this site. A fragment of the page needs no connection. */
function findLink({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest("a") : null;
  const leaves = link?.origin === location.origin && link.pathname !== location.pathname;
  return leaves ? link : null;
}

/** Whether the click opens the link in this tab. */
const opensHere = (event: MouseEvent, link: HTMLAnchorElement) =>
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  !link.hasAttribute("download") &&
  (link.target === "" || link.target === "_self");

/** Whether the reader has typed something on this page that was not sent. */
const hasUnsentInput = () =>
  [...document.querySelectorAll<HTMLTextAreaElement>("textarea, input:not([type=search])")].some(
    ({ value, defaultValue }) => value !== defaultValue,
  );

/** A page load would interrupt the radio. */
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>("audio, video")].some(
    ({ paused, muted }) => !paused && !muted,
  );
