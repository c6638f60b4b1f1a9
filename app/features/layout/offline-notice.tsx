import { useEffect, useState } from "react";

/**
 * Without a connection a link would end on the browser's own error page, and what was typed would
 * be lost. So the reader stays on the page, and a notice says why.
 */
export function OfflineNotice() {
  const [shown, setShown] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    const hold = (event: Event) => {
      if (navigator.onLine || !leavesPage(event)) return;
      event.preventDefault();
      event.stopPropagation();
      // An open menu would cover the notice.
      document.querySelector<HTMLElement>("[popover=auto]:popover-open")?.hidePopover();
      setShown(true);
    };
    document.addEventListener("click", hold, options);
    document.addEventListener("submit", hold, options);
    addEventListener("online", () => setShown(false), options);
    return () => stop.abort();
  }, []);

  return (
    <div role="status" className="offline-notice no-print">
      {shown && (
        <p>
          You seem to be offline. This page and what you typed stay here. Please try again when you
          are connected.
        </p>
      )}
    </div>
  );
}

/**
 * A form, or a link to another page of this site; one to a place on this page needs no connection.
 */
function leavesPage(event: Event): boolean {
  if (event.type === "submit") return true;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  return link !== null && link.origin === location.origin && link.pathname !== location.pathname;
}
