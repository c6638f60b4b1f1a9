import { type RefObject, useEffect } from "react";
import { isSlashOn } from "../memory.ts";

const typedInto = "input, textarea, select, [contenteditable]";

/** The key `/` leads to the search box, unless it is being typed or turned off; where the box is in a menu, it opens. */
export function useSlash(field: RefObject<HTMLInputElement | null>, isFor: boolean): void {
  useEffect(() => {
    if (!isFor) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented || !field.current) return;
      if ((target instanceof Element && target.closest(typedInto)) || !isSlashOn()) return;
      event.preventDefault();
      if (!field.current.checkVisibility()) field.current.closest<HTMLElement>("[popover]")?.showPopover();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [field, isFor]);
}
