import { type ReactNode, useEffect, useRef } from "react";

/**
 * On a small screen a row is wider than the page and scrolls sideways, so the selected pill is
 * scrolled into view.
 */
export function PillRow({ children }: { children: ReactNode }) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = row.current;
    const selected = list?.querySelector("[aria-current]");
    if (!list || !selected) return;
    const [outer, inner] = [list.getBoundingClientRect(), selected.getBoundingClientRect()];
    const margin = 16;
    if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left + margin;
    if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right + margin;
  });
  return (
    <ul ref={row} className="pill-row">
      {children}
    </ul>
  );
}
