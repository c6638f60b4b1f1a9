import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "../link.tsx";

type RowProps = {
  /** Whether the row scrolls on tablets too, and has small links on wide screens: it is long. */
  isOneLine?: boolean;
  children: ReactNode;
};

/**
 * On a small screen a row is wider than the page and scrolls sideways, so the selected pill is
 * scrolled into view.
 */
export function PillRow({ isOneLine = false, children }: RowProps) {
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

type PillProps = {
  label: string;
  to: string;
  isOn: boolean;
  /** How many entries the link leads to. */
  count?: number | undefined;
  rel?: "nofollow";
  className?: string;
  /** What follows the label and the count. */
  children?: ReactNode;
};

/** A choice in a row. It is a plain link, so that it has a URL to bookmark and to share. */
export function PillLink(props: PillProps) {
  const { label, to, isOn, count, rel, className = "pill", children } = props;
  return (
    <li>
      <Link
        to={to}
        className={className}
        aria-current={isOn ? "true" : undefined}
        rel={rel}
        preventScrollReset
      >
        {label}
        {count !== undefined && <span className="font-normal">&nbsp; {count}</span>}
        {children}
      </Link>
    </li>
  );
}
