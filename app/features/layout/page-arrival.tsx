import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

const lineHeightPx = 40;

/**
 * After a click on a link the reader is at the beginning of the new page, as after a load: the
 * keyboard goes on from its heading, the screen shows its top, and a screen reader says its title.
 */
export function PageArrival() {
  const { pathname, hash } = useLocation();
  const navigationType = useNavigationType();
  const shownPath = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    // After a form, React Router leaves the page where it was scrolled to, and the answer would be
    // out of sight.
    if (navigationType !== "POP" && hash === "") scrollTo(0, 0);
    const arrive = () => {
      focusHeading(arrivalPoint(hash), navigationType !== "POP");
      setTitle(document.title);
    };
    arrive();
    return observeUntilInput(() => {
      // A page that loads its content itself replaces its heading, and with it what has the focus.
      if (document.activeElement === document.body) arrive();
    });
  }, [pathname, hash, navigationType]);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

/**
 * The place that the link names, or else the heading. A page that is still loading may have no
 * heading yet.
 */
function arrivalPoint(hash: string): HTMLElement | null {
  const named = hash === "" ? null : document.getElementById(hash.slice(1));
  return named ?? document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
}

function focusHeading(heading: HTMLElement | null, mayScroll: boolean): void {
  if (!heading) return;
  if (heading.tabIndex < 0) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  // On a very low screen even the heading may be below an image.
  const isBelow = heading.getBoundingClientRect().top > window.innerHeight - lineHeightPx;
  if (mayScroll && isBelow) heading.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** Calls back when the document changes, until the reader presses a key or the pointer. */
function observeUntilInput(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { subtree: true, childList: true });
  const stop = new AbortController();
  const end = () => {
    observer.disconnect();
    stop.abort();
  };
  for (const event of ["keydown", "pointerdown"])
    addEventListener(event, end, { signal: stop.signal });
  return end;
}
