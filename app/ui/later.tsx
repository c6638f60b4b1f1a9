import { type ComponentType, lazy, Suspense, useEffect } from "react";

/** What readers do before they can use anything below the first screen. */
const inputs = ["pointermove", "pointerdown", "keydown", "scroll", "focusin"];

const waitForInput = () =>
  new Promise<void>((resolve) => {
    const stop = new AbortController();
    const end = () => {
      stop.abort();
      resolve();
    };
    for (const type of inputs)
      addEventListener(type, end, { signal: stop.signal, capture: true, passive: true });
  });

/** Whether the reader did something before this script loaded, or the link leads into the page. */
const hasInput = () =>
  scrollY > 0 || location.hash !== "" || document.activeElement !== document.body;

const firstInput = import.meta.env.SSR || hasInput() ? Promise.resolve() : waitForInput();

/** The router would wait for a part that cannot be loaded, so links and forms load a whole page. */
function skipRouter(event: Event): void {
  const isLink = event.target instanceof Element && event.target.closest("a") !== null;
  if (navigator.onLine && (isLink || event.type === "submit")) event.stopPropagation();
}

let waitingCount = 0;

/** Tests wait until no part of the page waits to be hydrated. */
function countWaiting(change: number): void {
  waitingCount += change;
  Object.assign(window, { waitingCount });
}

/**
 * Makes a part of the page that readers do not use first, such as one below the first screen. The
 * server renders it, and the browser loads its code and hydrates it when the reader starts to use
 * the page. Until then, its links and forms work as without JavaScript.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loadPart = async (input: Promise<void>): Promise<{ default: ComponentType<Props> }> => {
    await input;
    try {
      return { default: withCount(await load(), -1) };
    } catch {
      // There is no connection, or the site was updated. The part stays as the server rendered it.
      for (const type of ["click", "submit"]) addEventListener(type, skipRouter, true);
      return loadPart(waitForInput());
    }
  };
  const Part = lazy(() => loadPart(firstInput));
  return withCount(
    (props) => (
      <Suspense>
        <Part {...props} />
      </Suspense>
    ),
    1,
  );
}

const withCount =
  <Props extends object>(Part: ComponentType<Props>, change: 1 | -1): ComponentType<Props> =>
  (props) => {
    useEffect(() => {
      countWaiting(change);
      return () => countWaiting(-change);
    }, []);
    return <Part {...props} />;
  };
