import { isSlashKeyOn } from "../slash-setting.ts";

const typedInto = "input, textarea, select, [contenteditable]";

/**
 * The key `/` leads to the search box, unless it is being typed or turned off; where the box is in
 * a menu, it opens.
 */
function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented) return;
  const field = document.querySelector<HTMLInputElement>("input[data-slash]");
  if (!field || (target instanceof Element && target.closest(typedInto)) || !isSlashKeyOn()) return;
  event.preventDefault();
  if (!field.checkVisibility()) field.closest<HTMLElement>("[popover]")?.showPopover();
  field.focus();
  field.select();
}

// Not in an effect of a component: a reader may press the key and type on before React has taken
// over the page.
if (typeof document !== "undefined") document.addEventListener("keydown", onKey);
