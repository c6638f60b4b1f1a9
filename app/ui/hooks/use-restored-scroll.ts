import { type RefObject, useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** Scroll positions by the key of the history entry. They are in memory until the tab is closed. */
const positions = new Map<string, number>();

/** Restores the scroll position of a box when a reader goes back. Browsers restore the page. */
export function useRestoredScroll(box: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const position = positions.get(key);
    if (position !== undefined) element.scrollTop = position;
    return () => {
      positions.set(key, element.scrollTop);
    };
  }, [box, key]);
}
