import { type RefObject, useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** Scroll positions by the key of the history entry. They are in memory until the tab is closed. */
const positions = new Map<string, number>();

/**
 * When a reader goes back, the browser restores the scroll position of the page, but not of a box
 * inside it. This hook restores the box.
 */
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
