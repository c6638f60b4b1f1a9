import { slashKeyOff } from "../../../lib/device/slash-setting.ts";

const editableFields = "input, textarea, select, [contenteditable]";

/**
 * The `/` key focuses the search box, unless the reader is typing into a field or has turned the
 * key off. If the box is in a menu, the menu opens.
 */
function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented) return;
  const field = document.querySelector<HTMLInputElement>("input[data-slash]");
  if (!field || (target instanceof Element && target.closest(editableFields)) || slashKeyOff.read())
    return;
  event.preventDefault();
  if (!field.checkVisibility()) field.closest<HTMLElement>("[popover]")?.showPopover();
  field.focus();
  field.select();
}

// The listener is not in a React effect, because a reader may press the key and go on typing before
// React has hydrated the page.
if (typeof document !== "undefined") document.addEventListener("keydown", onKey);
