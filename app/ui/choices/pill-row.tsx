import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  /** Whether the row scrolls on tablets too, and has small links on wide screens: it is long. */
  isOneLine?: boolean;
  children: ReactNode;
};

/**
 * On a small screen a row is wider than the page and scrolls sideways, so the selected pill is
 * scrolled into view.
 */
export function PillRow({ isOneLine = false, children }: Props) {
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
    <ul ref={row} className={isOneLine ? "pill-row pill-line" : "pill-row"}>
      {children}
    </ul>
  );
}
