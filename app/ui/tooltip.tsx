import { useEffect, useRef } from "react";

/**
 * One tooltip for the whole page. It opens for any control with `data-tooltip`: after a delay for
 * the mouse, immediately for keyboard focus. It repeats the control's accessible name, so it is
 * hidden from assistive technology. The mouse can move onto it, and Escape closes it (WCAG 1.4.13).
 * Its code loads when the reader reaches the first such control.
 */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => (layer.current ? waitForControl(layer.current) : undefined), []);
  return (
    <div
      ref={layer}
      popover="manual"
      aria-hidden="true"
      // The transparent padding bridges the gap to the control, so that the mouse can reach the
      // text.
      className="no-print fixed inset-auto m-0 w-max max-w-64 bg-transparent p-1.5"
    >
      <span className="block rounded-sm bg-ink px-2.5 py-1 text-paper text-sm" />
    </div>
  );
}

function waitForControl(layer: HTMLElement): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let end = () => stop.abort();
  const start = (event: Event) => {
    const control = findControl(event);
    if (!control) return;
    stop.abort();
    const reachedAt = performance.now();
    // Without a connection, there are no tooltips.
    import("./tooltips.ts").then(
      ({ runTooltips }) => {
        end = runTooltips(layer, findControl, { control, reachedAt });
      },
      () => {},
    );
  };
  document.addEventListener("focusin", start, { signal });
  document.addEventListener(
    "pointerover",
    (event) => event.pointerType !== "touch" && start(event),
    { signal },
  );
  // Marks the page as hydrated, for tests: this layer is the last component, so the effects of all
  // others have run.
  layer.dataset.live = "";
  return () => end();
}

/** The control of an event that can have a tooltip. */
const findControl = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
