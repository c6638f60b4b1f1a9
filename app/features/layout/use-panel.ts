import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * The browser opens a panel of the header, closes it on Escape or a click outside, and returns the
 * focus. The rest is ours: a link to the page the reader is on, Tab past its end, and a window made
 * wide close it too, and a panel that is there for one field opens with the focus in that field.
 */
export function usePanel(panel: RefObject<HTMLElement | null>, inHeader: string): void {
  const { key } = useLocation();
  const openedOn = useRef(key);

  useEffect(() => {
    // Not at the start: a reader may have opened the panel before this script was there.
    if (openedOn.current === key) return;
    openedOn.current = key;
    panel.current?.hidePopover();
  }, [panel, key]);

  useEffect(() => {
    const element = panel.current;
    const stop = new AbortController();
    const { signal } = stop;
    const close = () => element?.hidePopover();
    const leave = ({ relatedTarget }: FocusEvent) => {
      // Going on with Tab leaves the panel: it must not cover what has the focus now.
      if (relatedTarget instanceof Element && !element?.contains(relatedTarget)) close();
    };
    const focusField = ({ newState }: ToggleEvent) => {
      if (newState === "open") element?.querySelector("input")?.focus();
    };
    element?.addEventListener("focusout", leave, { signal });
    element?.addEventListener("toggle", focusField, { signal });
    matchMedia(inHeader).addEventListener("change", close, { signal });
    return () => stop.abort();
  }, [panel, inHeader]);
}
