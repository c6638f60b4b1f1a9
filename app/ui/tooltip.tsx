import { useEffect, useRef } from "react";

const tooltipDelayMs = 700;
/**
 * If the mouse reaches another control within this time after a tooltip closes, the next tooltip
 * opens without delay.
 */
const tooltipSkipMs = 300;

const edgeMarginPx = 8;

/**
 * One tooltip for the whole page. It opens for any control with `data-tooltip`: after a delay for
 * the mouse, immediately for keyboard focus. It repeats the control's accessible name, so it is
 * hidden from assistive technology. The mouse can move onto it, and Escape closes it (WCAG 1.4.13).
 */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => (layer.current ? runTooltips(layer.current) : undefined), []);
  return (
    <div
      ref={layer}
      popover="manual"
      aria-hidden="true"
      // The transparent padding bridges the gap to the control, so that the mouse can reach the
      // text.
      className="tooltip no-print"
    >
      <span />
    </div>
  );
}

function runTooltips(layer: HTMLElement): () => void {
  let control: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closedAt = Number.NEGATIVE_INFINITY;

  const open = (target: HTMLElement) => {
    layer.firstElementChild?.replaceChildren(target.dataset.tooltip ?? "");
    layer.showPopover();
    const anchor = target.getBoundingClientRect();
    const tooltip = layer.getBoundingClientRect();
    const left = anchor.left + anchor.width / 2 - tooltip.width / 2;
    const fitsBelow = anchor.bottom + tooltip.height < window.innerHeight;
    layer.style.left = `${Math.max(edgeMarginPx, Math.min(left, window.innerWidth - tooltip.width - edgeMarginPx))}px`;
    layer.style.top = `${fitsBelow ? anchor.bottom : anchor.top - tooltip.height}px`;
  };

  const close = () => {
    clearTimeout(timer);
    control = null;
    if (!layer.matches(":popover-open")) return;
    layer.hidePopover();
    closedAt = performance.now();
  };

  const findControl = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;

  const enter = (event: Event) => {
    const target = findControl(event.target);
    if (target === control || layer.contains(event.target instanceof Node ? event.target : null))
      return;
    close();
    if (!target) return;
    const isKeyboard = event.type === "focusin";
    if (isKeyboard && !target.matches(":focus-visible")) return;
    control = target;
    const shouldSkipDelay = isKeyboard || performance.now() - closedAt < tooltipSkipMs;
    timer = setTimeout(() => open(target), shouldSkipDelay ? 0 : tooltipDelayMs);
  };

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };

  // Marks the page as hydrated, for tests: this layer is the last component, so the effects of all
  // others have run.
  layer.dataset.live = "";
  const stop = new AbortController();
  const { signal } = stop;
  const enterByMouse = (event: PointerEvent) => event.pointerType !== "touch" && enter(event);
  document.addEventListener("pointerover", enterByMouse, { signal });
  document.addEventListener("focusin", enter, { signal });
  for (const type of ["focusout", "pointerdown"])
    document.addEventListener(type, close, { signal });
  document.addEventListener("keydown", closeOnEscape, { signal });
  document.addEventListener("scroll", close, { signal, passive: true, capture: true });
  document.documentElement.addEventListener("pointerleave", close, { signal });
  return () => {
    close();
    stop.abort();
  };
}
