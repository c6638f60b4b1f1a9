import { useEffect, useState } from "react";

/**
 * Without a connection, a link would lead to the browser's error page, and anything the reader has
 * typed would be lost. So we keep the reader on the page and show a notice.
 */
export function OfflineNotice() {
  const [isShown, setShown] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    const blockIfOffline = (event: Event) => {
      if (navigator.onLine || !leavesPage(event)) return;
      event.preventDefault();
      event.stopPropagation();
      // An open menu would cover the notice.
      document.querySelector<HTMLElement>("[popover=auto]:popover-open")?.hidePopover();
      setShown(true);
    };
    document.addEventListener("click", blockIfOffline, options);
    document.addEventListener("submit", blockIfOffline, options);
    addEventListener("online", () => setShown(false), options);
    return () => stop.abort();
  }, []);

  return (
    <div role="status" className="offline-notice no-print">
      {isShown && (
        <p>
          You seem to be offline. We kept this page open, so nothing you typed is lost. Please try
          again when you are connected.
        </p>
      )}
    </div>
  );
}

/**
 * Whether the event submits a form or follows a link to another page of this site. A link to a
 * fragment of the current page needs no connection.
 */
function leavesPage(event: Event): boolean {
  if (event.type === "submit") return true;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link !== null && link.origin === location.origin && link.pathname !== location.pathname;
}
