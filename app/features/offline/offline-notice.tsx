import { useEffect, useState } from "react";
import { hasTypedText } from "../../lib/typed-text.ts";
import { opensHere } from "../../ui/link.tsx";
import { hasWorker, isUpdateReady } from "./worker-state.ts";

/**
 * Without a connection, links open the copies that the service worker has stored, or the page that
 * lists them. A form would lead to the browser's error page, and anything the reader has typed
 * would be lost. So we keep the reader on the page and show a notice.
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
      const mayLeave = hasWorker() && !hasInputToKeep();
      if (!navigator.onLine && !mayLeave) block(event, "link");
      else if (mayLeave && opensHere(event, link) && !(navigator.onLine && isPlaying())) {
        // The router would load only the data of the page.
        event.preventDefault();
        location.assign(link.href);
      }
    };
    const onSubmit = (event: Event) => {
      // A form that stores what the reader typed has its own notice, and sees the event first.
      if (navigator.onLine || event.defaultPrevented) return;
      if (isSearch(event) && hasWorker() && !hasInputToKeep()) return;
      block(event, "form");
    };
    document.addEventListener("click", onClick, options);
    document.addEventListener("submit", onSubmit, options);
    addEventListener("online", () => setBlocked(null), options);
    return () => stop.abort();
  }, []);

  return (
    <div role="status" className="sticky top-(--header-height) z-29 no-print">
      {blocked && <p className="stored-copy px-(--page-edge)">{texts[blocked]}</p>}
    </div>
  );
}

const texts = {
  link: "You seem to be offline. We kept this page open, so nothing you typed is lost. Please try again when you are connected.",
  form: "You seem to be offline, so this was not sent. We kept this page open. What you typed is not stored: if you leave the page, please enter it again when you are connected.",
};

/**
 * Finds a link to a page of this site, which may be this page with another choice, such as a
 * neighborhood. A fragment of the page needs no connection, and a list marked with `data-offline`
 * says itself that it could not be loaded.
 */
function findLink({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link?.origin !== location.origin || link.closest("[data-offline=own]")) return null;
  const isThisPage = link.pathname === location.pathname && link.search === location.search;
  return isThisPage && link.href.includes("#") ? null : link;
}

/** Without a connection, a search leads to the offline page, which searches the stored titles. */
const isSearch = ({ target }: Event) =>
  target instanceof HTMLFormElement && target.method === "get";

/**
 * Whether the reader has typed something on this page, or in an iframe with a page of ours, that
 * was not sent. A search may be lost, and so may an email address in the footer of every page.
 */
const hasInputToKeep = () =>
  [document, ...Array.from(document.querySelectorAll("iframe"), (frame) => frame.contentDocument)]
    .flatMap((page) => [...(page?.querySelectorAll<HTMLFormElement>("form[method=post]") ?? [])])
    .some((form) => !form.closest("footer") && hasTypedText(form));

/** A page load would interrupt the radio. */
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>("audio, video")].some(
    ({ paused, muted }) => !paused && !muted,
  );
