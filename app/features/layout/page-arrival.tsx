import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * After a click on a link the reader is at the beginning of the new page, as after a load: the keyboard goes on from
 * its heading, the screen shows its top, and a screen reader says its title.
 */
export function PageArrival() {
  const { pathname, hash } = useLocation();
  const navigationType = useNavigationType();
  const shownPath = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    focusWithoutScrolling(arrivalPoint(hash));
    // After a form, React Router leaves the page where it was scrolled to, and the answer would be out of sight.
    if (navigationType !== "POP" && hash === "") scrollTo(0, 0);
    setTitle(document.title);
  }, [pathname, hash, navigationType]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

/** The place that the link names, or else the heading. A page that is still loading may have no heading yet. */
function arrivalPoint(hash: string): HTMLElement | null {
  const named = hash === "" ? null : document.getElementById(hash.slice(1));
  return named ?? document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
}

function focusWithoutScrolling(element: HTMLElement | null): void {
  if (!element) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
