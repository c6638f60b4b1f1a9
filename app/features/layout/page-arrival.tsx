import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation, useNavigationType } from "react-router";

/** A heading with less than this visible height at the bottom of the screen counts as hidden. */
const minVisiblePx = 40;

/** The link by which the reader left a page, by the key of the page in the browser's history. */
const leftBy = new Map<string, string>();

/**
 * After the router has changed the page, the reader starts at its beginning, as after a page load:
 * the focus is on the heading, the window shows the top of the page, and a screen reader announces
 * the title. After the back button, the focus is on the link by which the reader left the page.
 */
export function PageArrival() {
  const { pathname, search, hash, key } = useLocation();
  const navigationType = useNavigationType();
  // A search for other words shows another page, unlike a filter of the same list.
  const page = `${pathname} ${new URLSearchParams(search).get("q")}`;
  const shownPage = useRef(page);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (shownPage.current === page) return;
    shownPage.current = page;
    // Only the server adds structured data, so what is there describes another page.
    for (const data of document.head.querySelectorAll("[type='application/ld+json']"))
      data.remove();
    // After a form, React Router does not scroll, and the result would be out of sight.
    if (navigationType !== "POP" && hash === "") scrollTo(0, 0);
    const isBack = navigationType === "POP";
    const arrive = () => {
      focusHeading((isBack && findLeftLink(key)) || findArrivalPoint(hash), !isBack);
      setTitle(document.title);
    };
    arrive();
    return observeUntilInput(() => {
      // A page that loads its content in the browser replaces its heading, which had the focus.
      if (document.activeElement === document.body) arrive();
    });
  }, [page, hash, key, navigationType]);
  useEffect(() => {
    const remember = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("main a[href]") : null;
      if (link) leftBy.set(key, link.getAttribute("href") ?? "");
    };
    addEventListener("click", remember);
    return () => removeEventListener("click", remember);
  }, [key]);
  // What is typed may change the title, as in a draft at the desk.
  useEffect(() => {
    const end = () => setTitle("");
    addEventListener("input", end);
    return () => removeEventListener("input", end);
  }, []);
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

/**
 * Returns the element that the URL's fragment names, a field that was refused, or else the heading.
 * A page that is still loading may have no heading yet.
 */
function findArrivalPoint(hash: string): HTMLElement | null {
  const named = hash === "" ? null : document.getElementById(hash.slice(1));
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  return named ?? find("main [aria-invalid]") ?? find("main h1") ?? find("main");
}

function findLeftLink(key: string): HTMLElement | null {
  const href = leftBy.get(key);
  return href === undefined
    ? null
    : document.querySelector(`main a[href="${CSS.escape(href)}"]:not([inert] *)`);
}

function focusHeading(heading: HTMLElement | null, mayScroll: boolean): void {
  if (!heading) return;
  if (heading.tabIndex < 0) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  // On a very low screen an image can push the heading out of sight.
  const isBelow = heading.getBoundingClientRect().top > window.innerHeight - minVisiblePx;
  if (mayScroll && isBelow) heading.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** Calls `onChange` when the document changes, until the reader presses a key, clicks or taps. */
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

/** Says that the next page is loading. It becomes visible only after a moment (base.css). */
export function Progress() {
  const isBusy = useNavigation().state !== "idle";
  return (
    <div role="status" className="no-print">
      {isBusy && <p className="progress">Loading…</p>}
    </div>
  );
}
