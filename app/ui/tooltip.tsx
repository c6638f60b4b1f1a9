import { useEffect, useRef } from "react";

const tooltipDelayMs = 700;
/** Going from one control to the next within this time shows the next one's tooltip at once. */
const tooltipSkipMs = 300;

const edgePx = 8;

/**
 * One tooltip for the whole page. Any control with `data-tooltip` gets it: after a pause under the
 * mouse, at once under keyboard focus. It repeats the control's accessible name, so it is hidden
 * from assistive technology. It can be hovered, and Escape puts it away (WCAG 1.4.13).
 */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => (layer.current ? runTooltips(layer.current) : undefined), []);
  return (
    <div
      ref={layer}
      popover="manual"
      aria-hidden="true"
      // The clear padding bridges the gap to the control, so that the mouse can reach the words.
      className="no-print fixed inset-auto m-0 w-max max-w-64 bg-transparent p-1.5"
    >
      <span className="block rounded-sm bg-ink px-2.5 py-1 text-paper text-sm" />
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
    const own = layer.getBoundingClientRect();
    const left = anchor.left + anchor.width / 2 - own.width / 2;
    const fitsBelow = anchor.bottom + own.height < window.innerHeight;
    layer.style.left = `${Math.max(edgePx, Math.min(left, window.innerWidth - own.width - edgePx))}px`;
    layer.style.top = `${fitsBelow ? anchor.bottom : anchor.top - own.height}px`;
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
    const byKeyboard = event.type === "focusin";
    if (byKeyboard && !target.matches(":focus-visible")) return;
    control = target;
    const skip = byKeyboard || performance.now() - closedAt < tooltipSkipMs;
    timer = setTimeout(() => open(target), skip ? 0 : tooltipDelayMs);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };

  // Says that scripts have taken over the page: the layer comes last, so every effect before it has
  // run.
  layer.dataset.live = "";
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener(
    "pointerover",
    (event) => event.pointerType !== "touch" && enter(event),
    {
      signal,
    },
  );
  document.addEventListener("focusin", enter, { signal });
  document.addEventListener("focusout", close, { signal });
  document.addEventListener("pointerdown", close, { signal });
  document.addEventListener("keydown", onKey, { signal });
  document.addEventListener("scroll", close, { signal, passive: true, capture: true });
  document.documentElement.addEventListener("pointerleave", close, { signal });
  return () => {
    close();
    stop.abort();
  };
}
