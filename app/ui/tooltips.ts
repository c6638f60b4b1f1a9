const tooltipDelayMs = 700;
/**
 * If the mouse reaches another control within this time after a tooltip closes, the next tooltip
 * opens without delay.
 */
const tooltipSkipMs = 300;

const edgeMarginPx = 8;

/**
 * Shows tooltips in the layer, beginning with the control that has just been reached. Returns a
 * function that ends this.
 */
export function runTooltips(
  layer: HTMLElement,
  findControl: (event: Event) => HTMLElement | null,
  first: { control: HTMLElement; reachedAt: number },
): () => void {
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

  const reach = (target: HTMLElement, isKeyboard: boolean, reachedAt = performance.now()) => {
    control = target;
    const shouldSkipDelay = isKeyboard || reachedAt - closedAt < tooltipSkipMs;
    const waitMs = shouldSkipDelay ? 0 : reachedAt + tooltipDelayMs - performance.now();
    if (waitMs > 0) timer = setTimeout(() => open(target), waitMs);
    else open(target);
  };

  const enter = (event: Event) => {
    const target = findControl(event);
    if (target === control || layer.contains(event.target instanceof Node ? event.target : null))
      return;
    close();
    const isKeyboard = event.type === "focusin";
    if (target && (!isKeyboard || target.matches(":focus-visible"))) reach(target, isKeyboard);
  };

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };

  const isFocused = first.control.matches(":focus-visible");
  // The reader may have gone on while this script loaded.
  if (isFocused || first.control.matches(":hover"))
    reach(first.control, isFocused, first.reachedAt);
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
  document.addEventListener("keydown", closeOnEscape, { signal });
  document.addEventListener("scroll", close, { signal, passive: true, capture: true });
  document.documentElement.addEventListener("pointerleave", close, { signal });
  return () => {
    close();
    stop.abort();
  };
}
