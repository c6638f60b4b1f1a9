import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** From this width on the links stand in the header itself (header.css). */
const wideScreen = "(min-width: 64rem)";

/**
 * The browser opens the menu, closes it on Escape or a click outside, and gives the focus back. What is left to us:
 * a link to the page one is on must close it too, and so must Tab past its end and a window made wide.
 */
export function useMenuCloses(menu: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const openedOn = useRef(key);

  useEffect(() => {
    // Not at the start: a reader may have opened the menu before this script was there.
    if (openedOn.current === key) return;
    openedOn.current = key;
    menu.current?.hidePopover();
  }, [menu, key]);

  useEffect(() => {
    const panel = menu.current;
    const leave = ({ relatedTarget }: FocusEvent) => {
      // Going on with Tab leaves the menu: it must not lie over what has the focus now.
      if (relatedTarget instanceof Element && !panel?.contains(relatedTarget)) panel?.hidePopover();
    };
    panel?.addEventListener("focusout", leave);
    return () => panel?.removeEventListener("focusout", leave);
  }, [menu]);

  useEffect(() => {
    const query = matchMedia(wideScreen);
    const close = () => menu.current?.hidePopover();
    query.addEventListener("change", close);
    return () => query.removeEventListener("change", close);
  }, [menu]);
}
