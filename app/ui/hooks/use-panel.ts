import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * The browser opens a panel of the header, closes it on Escape or a click outside, and restores the
 * focus. This hook does the rest: it closes the panel after every navigation (even to the current
 * page), when Tab leaves the panel, and when the window becomes wide enough to show the content in
 * the header. If the panel has a field, it opens with the focus in that field.
 */
export function usePanel(panel: RefObject<HTMLElement | null>, inHeaderQuery = "not all"): void {
  const { key } = useLocation();
  const lastKey = useRef(key);

  useEffect(() => {
    // Not on the first render: the reader may have opened the panel before this script loaded.
    if (lastKey.current === key) return;
    lastKey.current = key;
    panel.current?.hidePopover();
  }, [panel, key]);

  useEffect(() => {
    const element = panel.current;
    const stop = new AbortController();
    const { signal } = stop;
    const close = () => element?.hidePopover();
    const closeOnLeave = ({ relatedTarget }: FocusEvent) => {
      // A press of the panel's own button moves the focus there first, and then closes the panel
      // itself. If this had closed the panel already, the press would open it again.
      const isOwnButton =
        relatedTarget instanceof HTMLButtonElement &&
        relatedTarget.popoverTargetElement === element;
      // The open panel would cover any other element that has the focus now.
      if (relatedTarget instanceof Element && !isOwnButton && !element?.contains(relatedTarget))
        close();
    };
    const focusField = ({ newState }: ToggleEvent) => {
      // The field is in the header, above the edge to which browsers scroll what has the focus.
      if (newState === "open") element?.querySelector("input")?.focus({ preventScroll: true });
    };
    element?.addEventListener("focusout", closeOnLeave, { signal });
    element?.addEventListener("toggle", focusField, { signal });
    matchMedia(inHeaderQuery).addEventListener("change", close, { signal });
    return () => stop.abort();
  }, [panel, inHeaderQuery]);
}
