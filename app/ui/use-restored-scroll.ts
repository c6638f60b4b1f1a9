import { type RefObject, useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** By entry of the browser's history. Kept in memory only: it is gone with the tab. */
const positions = new Map<string, number>();

/** On the way back the browser restores how far the page was scrolled, but not a box inside it. */
export function useRestoredScroll(box: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const kept = positions.get(key);
    if (kept !== undefined) element.scrollTop = kept;
    return () => {
      positions.set(key, element.scrollTop);
    };
  }, [box, key]);
}
